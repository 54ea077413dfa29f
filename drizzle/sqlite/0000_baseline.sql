CREATE TABLE `rate_limits` (
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`used` integer NOT NULL,
	`ends_at` integer NOT NULL,
	PRIMARY KEY(`name`, `subject`)
);
--> statement-breakpoint
CREATE INDEX `rate_limits_expiry` ON `rate_limits` (`ends_at`);--> statement-breakpoint
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `agents` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`contact_email` text NOT NULL,
	`key_hash` text NOT NULL,
	`key_prefix` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	`last_order_at` integer NOT NULL,
	`first_used_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agents_key_hash` ON `agents` (`key_hash`);--> statement-breakpoint
CREATE INDEX `agents_newest` ON `agents` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `agents_unused` ON `agents` (`created_at`) WHERE first_used_at = 0;--> statement-breakpoint
CREATE TABLE `finder_keys` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE INDEX `finder_keys_agent` ON `finder_keys` (`agent_id`);--> statement-breakpoint
CREATE INDEX `finder_keys_expiry` ON `finder_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `finder_credits` (
	`agent_id` text NOT NULL,
	`fingerprint` text NOT NULL,
	`credit` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`agent_id`, `fingerprint`)
);
--> statement-breakpoint
CREATE INDEX `finder_credits_age` ON `finder_credits` (`created_at`);--> statement-breakpoint
CREATE TABLE `quotes` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text,
	`quote_hash` text NOT NULL,
	`terms` text NOT NULL,
	`review_token_hash` text NOT NULL,
	`buyer_email` text NOT NULL,
	`customer` text NOT NULL,
	`cart` text,
	`total_minor` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `quotes_review_token_hash` ON `quotes` (`review_token_hash`) WHERE review_token_hash <> '';--> statement-breakpoint
CREATE INDEX `quotes_expiry` ON `quotes` (`expires_at`,`id`);--> statement-breakpoint
CREATE INDEX `quotes_cart` ON `quotes` (`cart`) WHERE cart is not null;--> statement-breakpoint
CREATE INDEX `quotes_customer` ON `quotes` (`customer`,`id`);--> statement-breakpoint
CREATE TABLE `quote_states` (
	`quote_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`order_id` text,
	`paying_until` integer,
	`short` text,
	`over_share` text,
	`full_price_quote` text,
	`bought` text,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ucp_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`cart` text NOT NULL,
	`from_cart` text,
	`canceled_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ucp_sessions_from_cart` ON `ucp_sessions` (`from_cart`);--> statement-breakpoint
CREATE INDEX `ucp_sessions_expiry` ON `ucp_sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`quote_id` text NOT NULL,
	`status` text NOT NULL,
	`outcome` text,
	`declined` integer DEFAULT 0 NOT NULL,
	`session_id` text,
	`payment_ref` text,
	`url` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`hold_until` integer NOT NULL,
	`holds` text NOT NULL,
	`customer` text,
	`payer` text,
	`wish` text,
	`address` text,
	`check_at` integer,
	`answers` integer DEFAULT 0 NOT NULL,
	`page` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `attempts_one_live` ON `attempts` (`quote_id`) WHERE status in ('CREATING', 'OPEN', 'PROCESSING', 'CAPTURING');--> statement-breakpoint
CREATE UNIQUE INDEX `attempts_session` ON `attempts` (`session_id`);--> statement-breakpoint
CREATE INDEX `attempts_quote` ON `attempts` (`quote_id`);--> statement-breakpoint
CREATE INDEX `attempts_payment` ON `attempts` (`payment_ref`);--> statement-breakpoint
CREATE INDEX `attempts_check` ON `attempts` (`check_at`);--> statement-breakpoint
CREATE INDEX `attempts_customer` ON `attempts` (`customer`);--> statement-breakpoint
CREATE INDEX `attempts_page` ON `attempts` (`page`);--> statement-breakpoint
CREATE UNIQUE INDEX `attempts_one_order_of_page` ON `attempts` (`page`) WHERE page is not null and status in ('CAPTURING', 'PAID');--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`quote_id` text NOT NULL,
	`number` integer,
	`agent_id` text,
	`attempt_id` text NOT NULL,
	`buyer_email` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`payment_status` text NOT NULL,
	`payment_method` text NOT NULL,
	`payment_ref` text NOT NULL,
	`payment_mode` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`refunded_minor` integer NOT NULL,
	`paid_at` integer NOT NULL,
	`last_sequence` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_quote` ON `orders` (`quote_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number` ON `orders` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_page` ON `orders` (`agent_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_buyer` ON `orders` (`agent_id`,`buyer_email`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_newest` ON `orders` (`created_at`);--> statement-breakpoint
CREATE INDEX `orders_email` ON `orders` (`buyer_email`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_status` ON `orders` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `shipments` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`position` integer NOT NULL,
	`status` text NOT NULL,
	`address` text,
	`carrier` text,
	`tracking_number` text,
	`tracking_key` text,
	`tracking_url` text,
	`shipped_at` integer,
	`delivered_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shipments_order` ON `shipments` (`order_id`,`position`);--> statement-breakpoint
CREATE INDEX `shipments_tracking` ON `shipments` (`tracking_key`);--> statement-breakpoint
CREATE TABLE `events` (
	`order_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`id` text NOT NULL,
	`type` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`order_status` text NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`order_id`, `sequence`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_id` ON `events` (`id`);--> statement-breakpoint
CREATE TABLE `cancel_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`shipment_ids` text,
	`asked_by` text,
	`reason_code` text NOT NULL,
	`message` text,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`decided_at` integer,
	`decision` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cancel_requests_one_open` ON `cancel_requests` (`order_id`) WHERE status = 'REQUESTED';--> statement-breakpoint
CREATE INDEX `cancel_requests_status` ON `cancel_requests` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `cancel_requests_order` ON `cancel_requests` (`order_id`);--> statement-breakpoint
CREATE INDEX `cancel_requests_newest` ON `cancel_requests` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `customers` (
	`email` text PRIMARY KEY NOT NULL,
	`paid_orders` integer NOT NULL,
	`courtesy` text,
	`courtesy_attempt` text
);
--> statement-breakpoint
CREATE INDEX `customers_empty` ON `customers` (`email`) WHERE paid_orders = 0 and courtesy is null;--> statement-breakpoint
CREATE TABLE `beans` (
	`product_id` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`published` text,
	`on_sale` integer NOT NULL,
	`draft` text,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stock` (
	`product_id` text PRIMARY KEY NOT NULL,
	`on_hand` integer NOT NULL,
	`held` integer NOT NULL,
	`low_at` integer,
	`offers_from` integer,
	`catalog_version` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `waitlist` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text,
	`product_id` text NOT NULL,
	`quantity` integer NOT NULL,
	`buyer_email` text NOT NULL,
	`customer` text NOT NULL,
	`address` text,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`renewed_at` integer,
	`confirmed_at` integer,
	`offer_expires_at` integer,
	`attempt_id` text,
	`extended_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `waitlist_one_waiting` ON `waitlist` (`agent_id`,`product_id`,`customer`) WHERE status = 'WAITING';--> statement-breakpoint
CREATE INDEX `waitlist_queue` ON `waitlist` (`product_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `waitlist_offer` ON `waitlist` (`offer_expires_at`);--> statement-breakpoint
CREATE INDEX `waitlist_ended` ON `waitlist` (`created_at`) WHERE status in ('LEFT', 'EXPIRED');--> statement-breakpoint
CREATE INDEX `waitlist_newest` ON `waitlist` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `waitlist_live` ON `waitlist` (`product_id`,`created_at`,`id`) WHERE status in ('WAITING', 'OFFERED');--> statement-breakpoint
CREATE INDEX `waitlist_wanted` ON `waitlist` (`product_id`,`quantity`) WHERE status = 'WAITING';--> statement-breakpoint
CREATE INDEX `waitlist_buyer` ON `waitlist` (`agent_id`,`customer`,`status`);--> statement-breakpoint
CREATE INDEX `waitlist_customer` ON `waitlist` (`customer`,`product_id`,`status`);--> statement-breakpoint
CREATE INDEX `waitlist_address` ON `waitlist` (`address`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`attempt_id` text NOT NULL,
	`order_id` text,
	`payment_ref` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`reason` text NOT NULL,
	`status` text NOT NULL,
	`provider_ref` text,
	`key_number` integer DEFAULT 1 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`try_at` integer,
	`problem` text,
	`created_at` integer NOT NULL,
	`done_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_by_itself_once` ON `refunds` (`payment_ref`) WHERE reason not in ('MERCHANT', 'OUTSIDE');--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_provider_ref` ON `refunds` (`provider_ref`);--> statement-breakpoint
CREATE INDEX `refunds_payment` ON `refunds` (`payment_ref`);--> statement-breakpoint
CREATE INDEX `refunds_order` ON `refunds` (`order_id`);--> statement-breakpoint
CREATE INDEX `refunds_due` ON `refunds` (`try_at`);--> statement-breakpoint
CREATE TABLE `disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`attempt_id` text NOT NULL,
	`order_id` text,
	`payment_ref` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`reason` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`due_by` integer,
	`closed_at` integer
);
--> statement-breakpoint
CREATE INDEX `disputes_payment` ON `disputes` (`payment_ref`);--> statement-breakpoint
CREATE INDEX `disputes_order` ON `disputes` (`order_id`);--> statement-breakpoint
CREATE INDEX `disputes_open` ON `disputes` (`due_by`) WHERE status = 'OPEN';--> statement-breakpoint
CREATE TABLE `incidents` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`detail` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `incidents_newest` ON `incidents` (`created_at`);--> statement-breakpoint
CREATE INDEX `incidents_subject` ON `incidents` (`subject`);--> statement-breakpoint
CREATE TABLE `desk_tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`created_at` integer NOT NULL,
	`handled_at` integer,
	`handled_by` text
);
--> statement-breakpoint
CREATE INDEX `desk_tasks_open` ON `desk_tasks` (`kind`,`created_at`,`id`) WHERE handled_at is null;--> statement-breakpoint
CREATE INDEX `desk_tasks_subject` ON `desk_tasks` (`subject`);--> statement-breakpoint
CREATE INDEX `desk_tasks_age` ON `desk_tasks` (`created_at`);--> statement-breakpoint
CREATE TABLE `order_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`text` text NOT NULL,
	`written_by` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `order_notes_order` ON `order_notes` (`order_id`);--> statement-breakpoint
CREATE TABLE `audit` (
	`id` text PRIMARY KEY NOT NULL,
	`actor` text NOT NULL,
	`act` text NOT NULL,
	`subject` text NOT NULL,
	`detail` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_newest` ON `audit` (`at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`order_id` text,
	`subject` text,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`try_at` integer,
	`tries` integer NOT NULL,
	`sent_at` integer,
	`error` text
);
--> statement-breakpoint
CREATE INDEX `outbox_try` ON `outbox` (`try_at`);--> statement-breakpoint
CREATE INDEX `outbox_newest` ON `outbox` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `outbox_order` ON `outbox` (`order_id`);--> statement-breakpoint
CREATE TABLE `feedback` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`order_id` text,
	`message` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `feedback_newest` ON `feedback` (`created_at`);--> statement-breakpoint
CREATE TABLE `leads` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`email` text NOT NULL,
	`purpose` text NOT NULL,
	`quantity` text,
	`organization` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `leads_newest` ON `leads` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`api_version` text,
	`livemode` integer NOT NULL,
	`session_id` text,
	`payment_ref` text,
	`received_at` integer NOT NULL,
	`settled_at` integer,
	`tries` integer NOT NULL,
	`try_at` integer,
	`error` text
);
--> statement-breakpoint
CREATE INDEX `webhooks_try` ON `webhooks` (`try_at`);--> statement-breakpoint
CREATE INDEX `webhooks_age` ON `webhooks` (`received_at`);--> statement-breakpoint
CREATE TABLE `sandbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`body` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sandbox_kind` ON `sandbox` (`kind`,`created_at`);--> statement-breakpoint
CREATE TABLE `idempotency` (
	`scope` text NOT NULL,
	`key_hash` text NOT NULL,
	`request_hash` text NOT NULL,
	`reply` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`scope`, `key_hash`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_expiry` ON `idempotency` (`expires_at`);--> statement-breakpoint
-- Only this may change in a quote: a person's email, addresses and notes can be erased. Bags, prices,
-- dates and hash stay (contract §15). Its status is in quote_states.
CREATE TRIGGER quotes_no_update BEFORE UPDATE ON quotes
WHEN NOT (
  NEW.buyer_email = 'erased' AND NEW.customer = 'erased'
  AND NEW.id = OLD.id AND NEW.agent_id IS OLD.agent_id AND NEW.quote_hash = OLD.quote_hash
  AND NEW.review_token_hash = OLD.review_token_hash AND NEW.total_minor = OLD.total_minor
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
--> statement-breakpoint
-- A quote is deleted only 30 days after its end (RETENTION_DAYS.unpaid_quotes), and never if money came
-- for it or still can.
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
-- The event log only grows, so a reader's place in it stays valid.
CREATE TRIGGER events_no_update BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ABORT, 'an event never changes');
END;
--> statement-breakpoint
CREATE TRIGGER events_no_delete BEFORE DELETE ON events
BEGIN
  SELECT RAISE(ABORT, 'an event is never deleted');
END;
