ALTER TABLE `shipments` ADD `address` text;--> statement-breakpoint
CREATE INDEX `outbox_order` ON `outbox` (`order_id`);