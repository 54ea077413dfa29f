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
ALTER TABLE `stock` ADD `low_at` integer;--> statement-breakpoint
CREATE INDEX `disputes_open` ON `disputes` (`due_by`) WHERE status = 'OPEN';--> statement-breakpoint
CREATE INDEX `orders_email` ON `orders` (`buyer_email`,`created_at`);--> statement-breakpoint
CREATE INDEX `shipments_tracking` ON `shipments` (`tracking_number`);
--> statement-breakpoint
-- What came before nobody could mark as handled: all of it waits once.
INSERT INTO `desk_tasks` (`id`, `kind`, `subject`, `created_at`)
  SELECT `id`, 'INCIDENT', `id`, `created_at` FROM `incidents`;
--> statement-breakpoint
INSERT INTO `desk_tasks` (`id`, `kind`, `subject`, `created_at`)
  SELECT `id`, 'FEEDBACK', `id`, `created_at` FROM `feedback`;
--> statement-breakpoint
INSERT INTO `desk_tasks` (`id`, `kind`, `subject`, `created_at`)
  SELECT `id`, 'LEAD', `id`, `created_at` FROM `leads`;
--> statement-breakpoint
INSERT INTO `desk_tasks` (`id`, `kind`, `subject`, `created_at`)
  SELECT `id`, 'REFUND', `id`, `created_at` FROM `orders` WHERE `status` = 'CANCELED' AND `refunded_minor` < `amount_minor`;
