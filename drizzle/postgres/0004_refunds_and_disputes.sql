UPDATE "refunds" SET "reason" = 'MERCHANT' WHERE "reason" = 'SELLER';--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" text PRIMARY KEY NOT NULL,
	"attempt_id" text NOT NULL,
	"order_id" text,
	"payment_ref" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"created_at" bigint NOT NULL,
	"due_by" bigint,
	"closed_at" bigint
);
--> statement-breakpoint
DROP INDEX "refunds_once";--> statement-breakpoint
DROP INDEX "refunds_status";--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "provider_ref" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "key_number" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "try_at" bigint;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "problem" text;--> statement-breakpoint
CREATE INDEX "disputes_payment" ON "disputes" USING btree ("payment_ref");--> statement-breakpoint
CREATE INDEX "disputes_order" ON "disputes" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_by_itself_once" ON "refunds" USING btree ("payment_ref") WHERE reason not in ('MERCHANT', 'OUTSIDE');--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_provider_ref" ON "refunds" USING btree ("provider_ref");--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("payment_ref");--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_due" ON "refunds" USING btree ("try_at");--> statement-breakpoint
UPDATE "refunds" SET "try_at" = "created_at" WHERE "status" = 'PENDING';
