CREATE TABLE `agents` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`contact_email` text NOT NULL,
	`key_hash` text NOT NULL,
	`key_prefix` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	`last_order_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agents_key_hash` ON `agents` (`key_hash`);--> statement-breakpoint
CREATE TABLE `attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`quote_id` text NOT NULL,
	`status` text NOT NULL,
	`outcome` text,
	`session_id` text,
	`payment_ref` text,
	`url` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`hold_until` integer NOT NULL,
	`holds` text NOT NULL,
	`courtesy` integer NOT NULL,
	`check_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `attempts_one_live` ON `attempts` (`quote_id`) WHERE status in ('CREATING', 'OPEN', 'PROCESSING');--> statement-breakpoint
CREATE UNIQUE INDEX `attempts_session` ON `attempts` (`session_id`);--> statement-breakpoint
CREATE INDEX `attempts_quote` ON `attempts` (`quote_id`);--> statement-breakpoint
CREATE INDEX `attempts_payment` ON `attempts` (`payment_ref`);--> statement-breakpoint
CREATE INDEX `attempts_check` ON `attempts` (`check_at`);--> statement-breakpoint
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
CREATE TABLE `cancel_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
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
CREATE TABLE `customers` (
	`email` text PRIMARY KEY NOT NULL,
	`paid_orders` integer NOT NULL,
	`courtesy` text,
	`courtesy_attempt` text
);
--> statement-breakpoint
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
CREATE TABLE `feedback` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`order_id` text,
	`message` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `feedback_newest` ON `feedback` (`created_at`);--> statement-breakpoint
CREATE TABLE `finder_credits` (
	`agent_id` text NOT NULL,
	`fingerprint` text NOT NULL,
	`credit` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`agent_id`, `fingerprint`)
);
--> statement-breakpoint
CREATE TABLE `finder_keys` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE INDEX `finder_keys_agent` ON `finder_keys` (`agent_id`);--> statement-breakpoint
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
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`quote_id` text NOT NULL,
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
CREATE UNIQUE INDEX `orders_page` ON `orders` (`agent_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_buyer` ON `orders` (`agent_id`,`buyer_email`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_newest` ON `orders` (`created_at`);--> statement-breakpoint
CREATE TABLE `quote_states` (
	`quote_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`order_id` text,
	`paying_until` integer,
	`short` text,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `quotes` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text,
	`quote_hash` text NOT NULL,
	`terms` text NOT NULL,
	`review_hash` text NOT NULL,
	`buyer_email` text NOT NULL,
	`customer` text NOT NULL,
	`total_minor` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `quotes_review_hash` ON `quotes` (`review_hash`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`attempt_id` text NOT NULL,
	`order_id` text,
	`payment_ref` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`reason` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`done_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_once` ON `refunds` (`payment_ref`,`reason`);--> statement-breakpoint
CREATE INDEX `refunds_status` ON `refunds` (`status`,`created_at`);--> statement-breakpoint
CREATE TABLE `sandbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`body` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sandbox_kind` ON `sandbox` (`kind`,`created_at`);--> statement-breakpoint
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `shipments` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`position` integer NOT NULL,
	`status` text NOT NULL,
	`carrier` text,
	`tracking_number` text,
	`tracking_url` text,
	`shipped_at` integer,
	`delivered_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shipments_order` ON `shipments` (`order_id`,`position`);--> statement-breakpoint
CREATE TABLE `stock` (
	`product_id` text PRIMARY KEY NOT NULL,
	`on_hand` integer NOT NULL,
	`held` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `waitlist` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`product_id` text NOT NULL,
	`quantity` integer NOT NULL,
	`buyer_email` text NOT NULL,
	`customer` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`offer_expires_at` integer,
	`attempt_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `waitlist_one_waiting` ON `waitlist` (`agent_id`,`product_id`,`customer`) WHERE status = 'WAITING';--> statement-breakpoint
CREATE INDEX `waitlist_queue` ON `waitlist` (`product_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `waitlist_offer` ON `waitlist` (`offer_expires_at`);--> statement-breakpoint
CREATE INDEX `waitlist_buyer` ON `waitlist` (`agent_id`,`customer`,`status`);--> statement-breakpoint
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
CREATE INDEX `webhooks_try` ON `webhooks` (`try_at`);