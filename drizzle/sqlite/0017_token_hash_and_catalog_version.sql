ALTER TABLE `quotes` RENAME COLUMN "review_hash" TO "review_token_hash";--> statement-breakpoint
DROP INDEX `quotes_review_hash`;--> statement-breakpoint
CREATE UNIQUE INDEX `quotes_review_token_hash` ON `quotes` (`review_token_hash`);--> statement-breakpoint
ALTER TABLE `stock` ADD `catalog_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `attempts` DROP COLUMN `courtesy`;