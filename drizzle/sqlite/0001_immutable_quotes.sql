-- A quote never changes (SPEC §2): the database itself refuses. Its status is kept in quote_states.
CREATE TRIGGER quotes_no_update BEFORE UPDATE ON quotes
BEGIN
  SELECT RAISE(ABORT, 'a quote never changes');
END;
--> statement-breakpoint
CREATE TRIGGER quotes_no_delete BEFORE DELETE ON quotes
BEGIN
  SELECT RAISE(ABORT, 'a quote is never deleted');
END;
--> statement-breakpoint
-- The event log only grows: a reader's place in it stays true for good.
CREATE TRIGGER events_no_update BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ABORT, 'an event never changes');
END;
--> statement-breakpoint
CREATE TRIGGER events_no_delete BEFORE DELETE ON events
BEGIN
  SELECT RAISE(ABORT, 'an event is never deleted');
END;
