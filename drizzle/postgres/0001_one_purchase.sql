ALTER TABLE "attempts" ADD COLUMN "called_since" bigint;
--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "step" text;
--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "step_at" bigint;
--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "sent_at" bigint;
--> statement-breakpoint
ALTER TABLE "desk_tasks" ADD COLUMN "decided_by" text;
--> statement-breakpoint
CREATE INDEX "shipments_step" ON "shipments" USING btree ("step_at");
--> statement-breakpoint
DELETE FROM "refunds" WHERE status = 'CANCELED' AND problem = 'UNDONE';
--> statement-breakpoint
UPDATE "refunds" SET sent_at = created_at;
--> statement-breakpoint
CREATE INDEX "waitlist_confirmed" ON "waitlist" USING btree ("product_id","created_at","id") WHERE status = 'WAITING' and confirmed_at is not null;
--> statement-breakpoint
-- 0.3.0 let a customer confirm several entries for a bean. One stays confirmed, and the others wait.
UPDATE waitlist SET confirmed_at = NULL
WHERE status IN ('WAITING', 'OFFERED') AND confirmed_at IS NOT NULL AND id <> (
  SELECT w.id FROM waitlist w
  WHERE w.product_id = waitlist.product_id AND w.customer = waitlist.customer
    AND w.status IN ('WAITING', 'OFFERED') AND w.confirmed_at IS NOT NULL
  ORDER BY CASE w.status WHEN 'OFFERED' THEN 0 ELSE 1 END, w.created_at, w.id LIMIT 1);
--> statement-breakpoint
CREATE UNIQUE INDEX "waitlist_one_confirmed" ON "waitlist" USING btree ("product_id","customer") WHERE status in ('WAITING', 'OFFERED') and confirmed_at is not null;
--> statement-breakpoint
CREATE TABLE "checkouts" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text,
	"page" text NOT NULL,
	"cart" text NOT NULL,
	"buyer" text,
	"agent_id" text,
	"via" text NOT NULL,
	"converted_at" bigint,
	"version" integer NOT NULL,
	"quote_id" text,
	"order_id" text,
	"canceled_at" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "quote_states" ADD COLUMN "replaced_by" text;
--> statement-breakpoint
ALTER TABLE "quote_states" ADD COLUMN "browser" text;
--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "taken_at" bigint;
--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_name" ON "checkouts" USING btree ("name");
--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_page" ON "checkouts" USING btree ("page");
--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_order" ON "checkouts" USING btree ("order_id");
--> statement-breakpoint
CREATE INDEX "checkouts_expiry" ON "checkouts" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "attempts_wish" ON "attempts" USING btree ("wish");
--> statement-breakpoint
-- A cart and the checkout that was made from it become one row.
INSERT INTO checkouts (id, name, page, cart, via, version, quote_id, order_id, canceled_at, created_at, expires_at)
SELECT coalesce(k.id, 'chk_' || substr(s.id, 5)), CASE WHEN s.id LIKE 'crt%' THEN s.id END, encode(sha256(convert_to(s.id, 'UTF8')), 'hex'),
  coalesce(k.cart, s.cart), 'UCP', 1,
  (SELECT q.id FROM quotes q WHERE q.cart = encode(sha256(convert_to(s.id, 'UTF8')), 'hex') ORDER BY q.created_at DESC, q.id DESC LIMIT 1),
  (SELECT t.order_id FROM quotes q JOIN quote_states t ON t.quote_id = q.id
     WHERE q.cart = encode(sha256(convert_to(s.id, 'UTF8')), 'hex') AND t.order_id IS NOT NULL LIMIT 1),
  coalesce(k.canceled_at, s.canceled_at), s.created_at,
  greatest(s.expires_at, coalesce(k.expires_at, 0),
    coalesce((SELECT max(q.expires_at) FROM quotes q WHERE q.cart = encode(sha256(convert_to(s.id, 'UTF8')), 'hex')), 0))
FROM ucp_sessions s LEFT JOIN ucp_sessions k ON k.from_cart = s.id
WHERE s.from_cart IS NULL;
--> statement-breakpoint
DELETE FROM ucp_sessions;
--> statement-breakpoint
-- Every payment under way belongs to a purchase.
UPDATE attempts SET page = (SELECT coalesce(q.cart, q.id) FROM quotes q WHERE q.id = attempts.quote_id)
WHERE page IS NULL AND status IN ('CREATING', 'OPEN', 'PROCESSING', 'CAPTURING');
--> statement-breakpoint
UPDATE attempts SET customer = (SELECT q.customer FROM quotes q WHERE q.id = attempts.quote_id AND q.customer <> 'erased')
WHERE status = 'PAID';
--> statement-breakpoint
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
ALTER TABLE "refunds" ADD COLUMN "shipment_ids" text;
--> statement-breakpoint
CREATE INDEX "ledger_order" ON "ledger" USING btree ("order_id");
--> statement-breakpoint
CREATE INDEX "ledger_oldest" ON "ledger" USING btree ("at","id");
--> statement-breakpoint
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
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "letter" text;
--> statement-breakpoint
CREATE INDEX "outbox_subject" ON "outbox" USING btree ("subject");
--> statement-breakpoint
-- A request that names neither was an agent's, about the whole order.
UPDATE cancel_requests SET asked_by = 'AGENT' WHERE asked_by IS NULL;
--> statement-breakpoint
UPDATE cancel_requests SET shipment_ids = (SELECT json_agg(s.id ORDER BY s.position)::text FROM shipments s WHERE s.order_id = cancel_requests.order_id)
WHERE shipment_ids IS NULL;
--> statement-breakpoint
-- What only versions before 1.0.0 read or wrote.
DROP TABLE "ucp_sessions" CASCADE;
--> statement-breakpoint
DROP INDEX "quotes_review_token_hash";
--> statement-breakpoint
DROP INDEX "waitlist_address";
--> statement-breakpoint
ALTER TABLE "quotes" DROP COLUMN "review_token_hash";
--> statement-breakpoint
ALTER TABLE "quote_states" DROP COLUMN "over_share";
--> statement-breakpoint
ALTER TABLE "quote_states" DROP COLUMN "full_price_quote";
--> statement-breakpoint
ALTER TABLE "quote_states" DROP COLUMN "bought";
--> statement-breakpoint
ALTER TABLE "attempts" DROP COLUMN "hold_until";
--> statement-breakpoint
ALTER TABLE "attempts" DROP COLUMN "payer";
--> statement-breakpoint
ALTER TABLE "attempts" DROP COLUMN "address";
--> statement-breakpoint
ALTER TABLE "beans" DROP COLUMN "draft";
--> statement-breakpoint
ALTER TABLE "stock" DROP COLUMN "offers_from";
--> statement-breakpoint
ALTER TABLE "waitlist" DROP COLUMN "address";
