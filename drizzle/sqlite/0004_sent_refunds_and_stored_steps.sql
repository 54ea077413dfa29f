ALTER TABLE `shipments` ADD `step` text;--> statement-breakpoint
ALTER TABLE `shipments` ADD `step_at` integer;--> statement-breakpoint
CREATE INDEX `shipments_step` ON `shipments` (`step_at`);--> statement-breakpoint
ALTER TABLE `refunds` ADD `sent_at` integer;--> statement-breakpoint
ALTER TABLE `desk_tasks` ADD `decided_by` text;--> statement-breakpoint
DELETE FROM `refunds` WHERE status = 'CANCELED' AND problem = 'UNDONE';--> statement-breakpoint
UPDATE `refunds` SET sent_at = created_at;