DROP INDEX `shipments_tracking`;--> statement-breakpoint
ALTER TABLE `shipments` ADD `tracking_key` text;--> statement-breakpoint
UPDATE `shipments` SET `tracking_key` = upper(replace(replace(`tracking_number`, ' ', ''), '-', '')) WHERE `tracking_number` IS NOT NULL;--> statement-breakpoint
CREATE INDEX `shipments_tracking` ON `shipments` (`tracking_key`);