CREATE TABLE "desk_tasks" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"created_at" bigint NOT NULL,
	"handled_at" bigint,
	"handled_by" text
);
--> statement-breakpoint
CREATE TABLE "order_notes" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"text" text NOT NULL,
	"written_by" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "stock" ADD COLUMN "low_at" integer;--> statement-breakpoint
CREATE INDEX "desk_tasks_open" ON "desk_tasks" USING btree ("kind","created_at","id") WHERE handled_at is null;--> statement-breakpoint
CREATE INDEX "desk_tasks_subject" ON "desk_tasks" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "desk_tasks_age" ON "desk_tasks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "order_notes_order" ON "order_notes" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "disputes_open" ON "disputes" USING btree ("due_by") WHERE status = 'OPEN';--> statement-breakpoint
CREATE INDEX "orders_email" ON "orders" USING btree ("buyer_email","created_at");--> statement-breakpoint
CREATE INDEX "shipments_tracking" ON "shipments" USING btree ("tracking_number");
--> statement-breakpoint
-- What came before nobody could mark as handled: all of it waits once.
INSERT INTO "desk_tasks" ("id", "kind", "subject", "created_at")
  SELECT "id", 'INCIDENT', "id", "created_at" FROM "incidents";
--> statement-breakpoint
INSERT INTO "desk_tasks" ("id", "kind", "subject", "created_at")
  SELECT "id", 'FEEDBACK', "id", "created_at" FROM "feedback";
--> statement-breakpoint
INSERT INTO "desk_tasks" ("id", "kind", "subject", "created_at")
  SELECT "id", 'LEAD', "id", "created_at" FROM "leads";
--> statement-breakpoint
INSERT INTO "desk_tasks" ("id", "kind", "subject", "created_at")
  SELECT "id", 'REFUND', "id", "created_at" FROM "orders" WHERE "status" = 'CANCELED' AND "refunded_minor" < "amount_minor";
