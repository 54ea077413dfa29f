CREATE TABLE "outbox" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"order_id" text,
	"subject" text,
	"data" text NOT NULL,
	"created_at" bigint NOT NULL,
	"try_at" bigint,
	"tries" integer NOT NULL,
	"sent_at" bigint,
	"error" text
);
--> statement-breakpoint
CREATE INDEX "outbox_try" ON "outbox" USING btree ("try_at");--> statement-breakpoint
CREATE INDEX "outbox_newest" ON "outbox" USING btree ("created_at","id");