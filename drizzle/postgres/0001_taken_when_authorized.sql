DROP INDEX "attempts_payer";--> statement-breakpoint
DROP INDEX "attempts_address";--> statement-breakpoint
DROP INDEX "attempts_holding";--> statement-breakpoint
DROP INDEX "attempts_one_live";--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "page" text;--> statement-breakpoint
ALTER TABLE "waitlist" ADD COLUMN "extended_at" bigint;--> statement-breakpoint
CREATE INDEX "attempts_page" ON "attempts" USING btree ("page");--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_one_order_of_page" ON "attempts" USING btree ("page") WHERE page is not null and status in ('CAPTURING', 'PAID');--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_one_live" ON "attempts" USING btree ("quote_id") WHERE status in ('CREATING', 'OPEN', 'PROCESSING', 'CAPTURING');