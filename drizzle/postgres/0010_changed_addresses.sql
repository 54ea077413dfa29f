ALTER TABLE "shipments" ADD COLUMN "address" text;--> statement-breakpoint
CREATE INDEX "outbox_order" ON "outbox" USING btree ("order_id");