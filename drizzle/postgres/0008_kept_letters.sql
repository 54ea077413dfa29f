ALTER TABLE "outbox" ADD COLUMN "letter" text;--> statement-breakpoint
CREATE INDEX "outbox_subject" ON "outbox" USING btree ("subject");