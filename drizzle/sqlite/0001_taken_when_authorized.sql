DROP INDEX `attempts_payer`;--> statement-breakpoint
DROP INDEX `attempts_address`;--> statement-breakpoint
DROP INDEX `attempts_holding`;--> statement-breakpoint
DROP INDEX `attempts_one_live`;--> statement-breakpoint
ALTER TABLE `attempts` ADD `page` text;--> statement-breakpoint
CREATE INDEX `attempts_page` ON `attempts` (`page`);--> statement-breakpoint
CREATE UNIQUE INDEX `attempts_one_order_of_page` ON `attempts` (`page`) WHERE page is not null and status in ('CAPTURING', 'PAID');--> statement-breakpoint
CREATE UNIQUE INDEX `attempts_one_live` ON `attempts` (`quote_id`) WHERE status in ('CREATING', 'OPEN', 'PROCESSING', 'CAPTURING');--> statement-breakpoint
ALTER TABLE `waitlist` ADD `extended_at` integer;