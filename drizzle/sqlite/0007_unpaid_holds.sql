ALTER TABLE `attempts` ADD `customer` text;--> statement-breakpoint
ALTER TABLE `attempts` ADD `payer` text;--> statement-breakpoint
ALTER TABLE `attempts` ADD `address` text;--> statement-breakpoint
CREATE INDEX `attempts_customer` ON `attempts` (`customer`);--> statement-breakpoint
CREATE INDEX `attempts_payer` ON `attempts` (`payer`);--> statement-breakpoint
CREATE INDEX `attempts_address` ON `attempts` (`address`);--> statement-breakpoint
CREATE INDEX `attempts_holding` ON `attempts` (`hold_until`) WHERE status in ('CREATING', 'OPEN', 'PROCESSING');--> statement-breakpoint
ALTER TABLE `quotes` ADD `cart` text;