CREATE INDEX `customers_empty` ON `customers` (`email`) WHERE paid_orders = 0 and courtesy is null;--> statement-breakpoint
CREATE INDEX `finder_credits_age` ON `finder_credits` (`created_at`);--> statement-breakpoint
CREATE INDEX `finder_keys_expiry` ON `finder_keys` (`expires_at`);--> statement-breakpoint
CREATE INDEX `quotes_expiry` ON `quotes` (`expires_at`,`id`);--> statement-breakpoint
CREATE INDEX `waitlist_ended` ON `waitlist` (`created_at`) WHERE status in ('LEFT', 'EXPIRED');--> statement-breakpoint
CREATE INDEX `webhooks_age` ON `webhooks` (`received_at`);