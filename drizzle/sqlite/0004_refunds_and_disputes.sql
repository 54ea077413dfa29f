UPDATE `refunds` SET `reason` = 'MERCHANT' WHERE `reason` = 'SELLER';--> statement-breakpoint
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
DROP INDEX `refunds_once`;--> statement-breakpoint
DROP INDEX `refunds_status`;--> statement-breakpoint
ALTER TABLE `refunds` ADD `provider_ref` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `key_number` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `try_at` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `problem` text;--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_by_itself_once` ON `refunds` (`payment_ref`) WHERE reason not in ('MERCHANT', 'OUTSIDE');--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_provider_ref` ON `refunds` (`provider_ref`);--> statement-breakpoint
CREATE INDEX `refunds_payment` ON `refunds` (`payment_ref`);--> statement-breakpoint
CREATE INDEX `refunds_order` ON `refunds` (`order_id`);--> statement-breakpoint
CREATE INDEX `refunds_due` ON `refunds` (`try_at`);--> statement-breakpoint
UPDATE `refunds` SET `try_at` = `created_at` WHERE `status` = 'PENDING';
