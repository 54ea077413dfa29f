ALTER TABLE `stock` ADD `offers_from` integer;--> statement-breakpoint
ALTER TABLE `waitlist` ADD `address` text;--> statement-breakpoint
ALTER TABLE `waitlist` ADD `renewed_at` integer;--> statement-breakpoint
ALTER TABLE `waitlist` ADD `confirmed_at` integer;--> statement-breakpoint
UPDATE `waitlist` SET `confirmed_at` = `created_at`;--> statement-breakpoint
CREATE INDEX `waitlist_address` ON `waitlist` (`address`);