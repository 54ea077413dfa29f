CREATE INDEX "agents_newest" ON "agents" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "cancel_requests_order" ON "cancel_requests" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "cancel_requests_newest" ON "cancel_requests" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "waitlist_newest" ON "waitlist" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "waitlist_live" ON "waitlist" USING btree ("product_id","created_at","id") WHERE status in ('WAITING', 'OFFERED');--> statement-breakpoint
CREATE INDEX "waitlist_wanted" ON "waitlist" USING btree ("product_id","quantity") WHERE status = 'WAITING';