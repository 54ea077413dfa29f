ALTER TABLE "shipments" ADD COLUMN "step" text;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "step_at" bigint;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "sent_at" bigint;--> statement-breakpoint
ALTER TABLE "desk_tasks" ADD COLUMN "decided_by" text;--> statement-breakpoint
CREATE INDEX "shipments_step" ON "shipments" USING btree ("step_at");--> statement-breakpoint
DELETE FROM "refunds" WHERE status = 'CANCELED' AND problem = 'UNDONE';--> statement-breakpoint
UPDATE "refunds" SET sent_at = created_at;