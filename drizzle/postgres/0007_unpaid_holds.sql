ALTER TABLE "attempts" ADD COLUMN "customer" text;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "payer" text;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "cart" text;--> statement-breakpoint
CREATE INDEX "attempts_customer" ON "attempts" USING btree ("customer");--> statement-breakpoint
CREATE INDEX "attempts_payer" ON "attempts" USING btree ("payer");--> statement-breakpoint
CREATE INDEX "attempts_address" ON "attempts" USING btree ("address");--> statement-breakpoint
CREATE INDEX "attempts_holding" ON "attempts" USING btree ("hold_until") WHERE status in ('CREATING', 'OPEN', 'PROCESSING');