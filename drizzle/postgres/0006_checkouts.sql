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
ALTER TABLE "quote_states" ADD COLUMN "replaced_by" text;--> statement-breakpoint
ALTER TABLE "quote_states" ADD COLUMN "browser" text;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "taken_at" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_name" ON "checkouts" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_page" ON "checkouts" USING btree ("page");--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_order" ON "checkouts" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "checkouts_expiry" ON "checkouts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "attempts_wish" ON "attempts" USING btree ("wish");--> statement-breakpoint
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
