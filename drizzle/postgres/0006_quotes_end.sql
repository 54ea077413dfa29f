-- A quote is deleted 30 days after its end, where no money ever came for it and none can (contract §14:
-- RETENTION_DAYS.unpaid_quotes), and what is about it goes with it. It never changes, but for this: a
-- person's email, addresses and notes are erased from it, and bags, prices, dates and hash stay as they
-- were (contract §15).
CREATE FUNCTION refuse_quote_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  personal text[] := ARRAY['address', 'gift_notes', 'recipient_ref'];
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.expires_at <= (extract(epoch from now()) - 30 * 86400) * 1000
      AND NOT EXISTS (SELECT 1 FROM orders WHERE quote_id = OLD.id)
      AND NOT EXISTS (
        SELECT 1 FROM attempts WHERE quote_id = OLD.id
          AND (payment_ref IS NOT NULL OR status IN ('CREATING', 'OPEN', 'PROCESSING'))
      )
    THEN
      RETURN OLD;
    END IF;
  ELSIF NEW.buyer_email = 'erased' AND NEW.customer = 'erased'
    AND to_jsonb(NEW) - ARRAY['terms', 'buyer_email', 'customer']
      = to_jsonb(OLD) - ARRAY['terms', 'buyer_email', 'customer']
    AND NEW.terms::jsonb - ARRAY['buyer', 'shipments'] = OLD.terms::jsonb - ARRAY['buyer', 'shipments']
    AND (SELECT jsonb_agg(value - personal ORDER BY place)
           FROM jsonb_array_elements(NEW.terms::jsonb -> 'shipments') WITH ORDINALITY AS s (value, place))
      = (SELECT jsonb_agg(value - personal ORDER BY place)
           FROM jsonb_array_elements(OLD.terms::jsonb -> 'shipments') WITH ORDINALITY AS s (value, place))
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% never changes', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END;
$$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER quotes_no_change BEFORE UPDATE OR DELETE ON quotes
FOR EACH ROW EXECUTE FUNCTION refuse_quote_change();
--> statement-breakpoint
CREATE FUNCTION delete_with_quote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM quote_states WHERE quote_id = OLD.id;
  DELETE FROM attempts WHERE quote_id = OLD.id;
  RETURN NULL;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER quotes_deleted AFTER DELETE ON quotes
FOR EACH ROW EXECUTE FUNCTION delete_with_quote();
