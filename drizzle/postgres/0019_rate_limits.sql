-- Until now a library had a table of this name, which it made by itself. What it counted is not kept.
DROP TABLE IF EXISTS "rate_limits";
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"name" text NOT NULL,
	"subject" text NOT NULL,
	"used" integer NOT NULL,
	"ends_at" bigint NOT NULL,
	CONSTRAINT "rate_limits_name_subject_pk" PRIMARY KEY("name","subject")
);
--> statement-breakpoint
CREATE INDEX "rate_limits_expiry" ON "rate_limits" USING btree ("ends_at");