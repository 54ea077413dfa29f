ALTER TABLE `agents` ADD `first_used_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `agents` SET `first_used_at` = `created_at`;--> statement-breakpoint
CREATE INDEX `agents_unused` ON `agents` (`created_at`) WHERE first_used_at = 0;