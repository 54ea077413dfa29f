CREATE TABLE "ledger" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"payment_ref" text NOT NULL,
	"kind" text NOT NULL,
	"cause" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "shipment_ids" text;--> statement-breakpoint
CREATE INDEX "ledger_order" ON "ledger" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "ledger_oldest" ON "ledger" USING btree ("at","id");--> statement-breakpoint
INSERT INTO ledger (id, order_id, payment_ref, kind, cause, amount_minor, at)
SELECT refunds.id || ':0', orders.id, orders.payment_ref, 'REFUND', refunds.id, -refunds.amount_minor, refunds.done_at
FROM refunds JOIN orders ON orders.id = refunds.order_id AND orders.payment_ref = refunds.payment_ref
WHERE refunds.status = 'DONE' AND refunds.done_at IS NOT NULL;
--> statement-breakpoint
INSERT INTO ledger (id, order_id, payment_ref, kind, cause, amount_minor, at)
SELECT disputes.id || ':0', orders.id, orders.payment_ref, 'DISPUTE', disputes.id, -disputes.amount_minor, coalesce(disputes.closed_at, disputes.created_at)
FROM disputes JOIN orders ON orders.id = disputes.order_id AND orders.payment_ref = disputes.payment_ref
WHERE disputes.status = 'LOST';
--> statement-breakpoint
-- Lines of the books are only added, so a closed month stays as it is.
CREATE TRIGGER ledger_no_change BEFORE UPDATE OR DELETE ON ledger
FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON ledger
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
