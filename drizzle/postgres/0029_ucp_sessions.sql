CREATE TABLE "ucp_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"cart" text NOT NULL,
	"from_cart" text,
	"canceled_at" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "ucp_sessions_from_cart" ON "ucp_sessions" USING btree ("from_cart");--> statement-breakpoint
CREATE INDEX "ucp_sessions_expiry" ON "ucp_sessions" USING btree ("expires_at");