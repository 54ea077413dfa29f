-- A quote is deleted 30 days after its end, where no money ever came for it and none can (contract §14:
-- RETENTION_DAYS.unpaid_quotes), and what is about it goes with it.
DROP TRIGGER quotes_no_delete;
--> statement-breakpoint
CREATE TRIGGER quotes_no_delete BEFORE DELETE ON quotes
WHEN OLD.expires_at > (unixepoch() - 30 * 86400) * 1000
  OR EXISTS (SELECT 1 FROM orders WHERE quote_id = OLD.id)
  OR EXISTS (
    SELECT 1 FROM attempts WHERE quote_id = OLD.id
      AND (payment_ref IS NOT NULL OR status IN ('CREATING', 'OPEN', 'PROCESSING'))
  )
BEGIN
  SELECT RAISE(ABORT, 'a quote is never deleted before its time, and never one that was paid');
END;
--> statement-breakpoint
CREATE TRIGGER quotes_deleted AFTER DELETE ON quotes
BEGIN
  DELETE FROM quote_states WHERE quote_id = OLD.id;
  DELETE FROM attempts WHERE quote_id = OLD.id;
END;
--> statement-breakpoint
-- A quote never changes, but for this: a person's email, addresses and notes are erased from it, and
-- bags, prices, dates and hash stay as they were (contract §15).
DROP TRIGGER quotes_no_update;
--> statement-breakpoint
CREATE TRIGGER quotes_no_update BEFORE UPDATE ON quotes
WHEN NOT (
  NEW.buyer_email = 'erased' AND NEW.customer = 'erased'
  AND NEW.id = OLD.id AND NEW.agent_id IS OLD.agent_id AND NEW.quote_hash = OLD.quote_hash
  AND NEW.review_hash = OLD.review_hash AND NEW.total_minor = OLD.total_minor
  AND NEW.created_at = OLD.created_at AND NEW.expires_at = OLD.expires_at
  AND json_remove(NEW.terms, '$.buyer', '$.shipments') = json_remove(OLD.terms, '$.buyer', '$.shipments')
  AND (SELECT json_group_array(json_remove(value, '$.address', '$.gift_notes', '$.recipient_ref'))
         FROM json_each(NEW.terms, '$.shipments'))
    = (SELECT json_group_array(json_remove(value, '$.address', '$.gift_notes', '$.recipient_ref'))
         FROM json_each(OLD.terms, '$.shipments'))
)
BEGIN
  SELECT RAISE(ABORT, 'a quote never changes');
END;
