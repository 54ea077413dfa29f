DROP INDEX `quotes_review_token_hash`;--> statement-breakpoint
CREATE UNIQUE INDEX `quotes_review_token_hash` ON `quotes` (`review_token_hash`) WHERE review_token_hash <> '';