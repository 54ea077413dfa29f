CREATE INDEX `agents_newest` ON `agents` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `cancel_requests_order` ON `cancel_requests` (`order_id`);--> statement-breakpoint
CREATE INDEX `cancel_requests_newest` ON `cancel_requests` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `waitlist_newest` ON `waitlist` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `waitlist_live` ON `waitlist` (`product_id`,`created_at`,`id`) WHERE status in ('WAITING', 'OFFERED');--> statement-breakpoint
CREATE INDEX `waitlist_wanted` ON `waitlist` (`product_id`,`quantity`) WHERE status = 'WAITING';