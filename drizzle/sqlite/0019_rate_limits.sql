-- Until now a library had a table of this name, which it made by itself. What it counted is not kept.
DROP TABLE IF EXISTS `rate_limits`;
--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`used` integer NOT NULL,
	`ends_at` integer NOT NULL,
	PRIMARY KEY(`name`, `subject`)
);
--> statement-breakpoint
CREATE INDEX `rate_limits_expiry` ON `rate_limits` (`ends_at`);