ALTER TABLE `outbox` ADD `letter` text;--> statement-breakpoint
CREATE INDEX `outbox_subject` ON `outbox` (`subject`);