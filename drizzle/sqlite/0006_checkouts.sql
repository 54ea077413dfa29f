CREATE TABLE `checkouts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text,
	`page` text NOT NULL,
	`cart` text NOT NULL,
	`buyer` text,
	`agent_id` text,
	`via` text NOT NULL,
	`converted_at` integer,
	`version` integer NOT NULL,
	`quote_id` text,
	`order_id` text,
	`canceled_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `checkouts_name` ON `checkouts` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `checkouts_page` ON `checkouts` (`page`);--> statement-breakpoint
CREATE UNIQUE INDEX `checkouts_order` ON `checkouts` (`order_id`);--> statement-breakpoint
CREATE INDEX `checkouts_expiry` ON `checkouts` (`expires_at`);--> statement-breakpoint
ALTER TABLE `quote_states` ADD `replaced_by` text;--> statement-breakpoint
ALTER TABLE `quote_states` ADD `browser` text;--> statement-breakpoint
ALTER TABLE `attempts` ADD `taken_at` integer;--> statement-breakpoint
CREATE INDEX `attempts_wish` ON `attempts` (`wish`);--> statement-breakpoint
-- A cart and the checkout that was made from it become one row.
INSERT INTO checkouts (id, name, page, cart, via, version, quote_id, order_id, canceled_at, created_at, expires_at)
SELECT coalesce(k.id, 'chk_' || substr(s.id, 5)), CASE WHEN s.id LIKE 'crt%' THEN s.id END, sha256(s.id),
  coalesce(k.cart, s.cart), 'UCP', 1,
  (SELECT q.id FROM quotes q WHERE q.cart = sha256(s.id) ORDER BY q.created_at DESC, q.id DESC LIMIT 1),
  (SELECT t.order_id FROM quotes q JOIN quote_states t ON t.quote_id = q.id
     WHERE q.cart = sha256(s.id) AND t.order_id IS NOT NULL LIMIT 1),
  coalesce(k.canceled_at, s.canceled_at), s.created_at,
  max(s.expires_at, coalesce(k.expires_at, 0),
    coalesce((SELECT max(q.expires_at) FROM quotes q WHERE q.cart = sha256(s.id)), 0))
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
