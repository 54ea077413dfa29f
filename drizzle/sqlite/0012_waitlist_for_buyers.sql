PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_waitlist` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text,
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
INSERT INTO `__new_waitlist`("id", "agent_id", "product_id", "quantity", "buyer_email", "customer", "status", "created_at", "offer_expires_at", "attempt_id") SELECT "id", "agent_id", "product_id", "quantity", "buyer_email", "customer", "status", "created_at", "offer_expires_at", "attempt_id" FROM `waitlist`;--> statement-breakpoint
DROP TABLE `waitlist`;--> statement-breakpoint
ALTER TABLE `__new_waitlist` RENAME TO `waitlist`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `waitlist_one_waiting` ON `waitlist` (`agent_id`,`product_id`,`customer`) WHERE status = 'WAITING';--> statement-breakpoint
CREATE INDEX `waitlist_queue` ON `waitlist` (`product_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `waitlist_offer` ON `waitlist` (`offer_expires_at`);--> statement-breakpoint
CREATE INDEX `waitlist_ended` ON `waitlist` (`created_at`) WHERE status in ('LEFT', 'EXPIRED');--> statement-breakpoint
CREATE INDEX `waitlist_newest` ON `waitlist` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `waitlist_live` ON `waitlist` (`product_id`,`created_at`,`id`) WHERE status in ('WAITING', 'OFFERED');--> statement-breakpoint
CREATE INDEX `waitlist_wanted` ON `waitlist` (`product_id`,`quantity`) WHERE status = 'WAITING';--> statement-breakpoint
CREATE INDEX `waitlist_buyer` ON `waitlist` (`agent_id`,`customer`,`status`);--> statement-breakpoint
CREATE INDEX `waitlist_customer` ON `waitlist` (`customer`,`product_id`,`status`);