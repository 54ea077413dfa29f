-- A quote never changes (SPEC §2): the database itself refuses. Its status is kept in quote_states.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% never changes', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END;
$$;
--> statement-breakpoint
CREATE TRIGGER quotes_no_change BEFORE UPDATE OR DELETE ON quotes
FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER quotes_no_truncate BEFORE TRUNCATE ON quotes
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- The event log only grows: a reader's place in it stays true for good.
CREATE TRIGGER events_no_change BEFORE UPDATE OR DELETE ON events
FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON events
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
