ALTER TABLE "stock" ADD COLUMN "offers_from" bigint;--> statement-breakpoint
ALTER TABLE "waitlist" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "waitlist" ADD COLUMN "renewed_at" bigint;--> statement-breakpoint
ALTER TABLE "waitlist" ADD COLUMN "confirmed_at" bigint;--> statement-breakpoint
UPDATE "waitlist" SET "confirmed_at" = "created_at";--> statement-breakpoint
CREATE INDEX "waitlist_address" ON "waitlist" USING btree ("address");