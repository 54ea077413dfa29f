CREATE TABLE "agents" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"contact_email" text NOT NULL,
	"key_hash" text NOT NULL,
	"key_prefix" text NOT NULL,
	"created_at" bigint NOT NULL,
	"revoked_at" bigint,
	"last_order_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"quote_id" text NOT NULL,
	"status" text NOT NULL,
	"outcome" text,
	"session_id" text,
	"payment_ref" text,
	"url" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"hold_until" bigint NOT NULL,
	"holds" text NOT NULL,
	"courtesy" integer NOT NULL,
	"check_at" bigint
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" text PRIMARY KEY NOT NULL,
	"actor" text NOT NULL,
	"act" text NOT NULL,
	"subject" text NOT NULL,
	"detail" text NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cancel_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"reason_code" text NOT NULL,
	"message" text,
	"status" text NOT NULL,
	"created_at" bigint NOT NULL,
	"decided_at" bigint,
	"decision" text
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"email" text PRIMARY KEY NOT NULL,
	"paid_orders" integer NOT NULL,
	"courtesy" text,
	"courtesy_attempt" text
);
--> statement-breakpoint
CREATE TABLE "events" (
	"order_id" text NOT NULL,
	"sequence" integer NOT NULL,
	"id" text NOT NULL,
	"type" text NOT NULL,
	"occurred_at" bigint NOT NULL,
	"order_status" text NOT NULL,
	"data" text NOT NULL,
	CONSTRAINT "events_order_id_sequence_pk" PRIMARY KEY("order_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "feedback" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" text NOT NULL,
	"order_id" text,
	"message" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "finder_credits" (
	"agent_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"credit" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "finder_credits_agent_id_fingerprint_pk" PRIMARY KEY("agent_id","fingerprint")
);
--> statement-breakpoint
CREATE TABLE "finder_keys" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"agent_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"revoked_at" bigint
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"scope" text NOT NULL,
	"key_hash" text NOT NULL,
	"request_hash" text NOT NULL,
	"reply" text NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "idempotency_scope_key_hash_pk" PRIMARY KEY("scope","key_hash")
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"detail" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leads" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" text NOT NULL,
	"email" text NOT NULL,
	"purpose" text NOT NULL,
	"quantity" text,
	"organization" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"quote_id" text NOT NULL,
	"agent_id" text,
	"attempt_id" text NOT NULL,
	"buyer_email" text NOT NULL,
	"status" text NOT NULL,
	"created_at" bigint NOT NULL,
	"payment_status" text NOT NULL,
	"payment_method" text NOT NULL,
	"payment_ref" text NOT NULL,
	"payment_mode" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"refunded_minor" bigint NOT NULL,
	"paid_at" bigint NOT NULL,
	"last_sequence" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quote_states" (
	"quote_id" text PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"order_id" text,
	"paying_until" bigint,
	"short" text,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" text,
	"quote_hash" text NOT NULL,
	"terms" text NOT NULL,
	"review_hash" text NOT NULL,
	"buyer_email" text NOT NULL,
	"customer" text NOT NULL,
	"total_minor" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"attempt_id" text NOT NULL,
	"order_id" text,
	"payment_ref" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"created_at" bigint NOT NULL,
	"done_at" bigint
);
--> statement-breakpoint
CREATE TABLE "sandbox" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"body" text NOT NULL,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shipments" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"position" integer NOT NULL,
	"status" text NOT NULL,
	"carrier" text,
	"tracking_number" text,
	"tracking_url" text,
	"shipped_at" bigint,
	"delivered_at" bigint
);
--> statement-breakpoint
CREATE TABLE "stock" (
	"product_id" text PRIMARY KEY NOT NULL,
	"on_hand" integer NOT NULL,
	"held" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "waitlist" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" text NOT NULL,
	"product_id" text NOT NULL,
	"quantity" integer NOT NULL,
	"buyer_email" text NOT NULL,
	"customer" text NOT NULL,
	"status" text NOT NULL,
	"created_at" bigint NOT NULL,
	"offer_expires_at" bigint,
	"attempt_id" text
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"api_version" text,
	"livemode" integer NOT NULL,
	"session_id" text,
	"payment_ref" text,
	"received_at" bigint NOT NULL,
	"settled_at" bigint,
	"tries" integer NOT NULL,
	"try_at" bigint,
	"error" text
);
--> statement-breakpoint
CREATE UNIQUE INDEX "agents_key_hash" ON "agents" USING btree ("key_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_one_live" ON "attempts" USING btree ("quote_id") WHERE status in ('CREATING', 'OPEN', 'PROCESSING');--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_session" ON "attempts" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "attempts_quote" ON "attempts" USING btree ("quote_id");--> statement-breakpoint
CREATE INDEX "attempts_payment" ON "attempts" USING btree ("payment_ref");--> statement-breakpoint
CREATE INDEX "attempts_check" ON "attempts" USING btree ("check_at");--> statement-breakpoint
CREATE INDEX "audit_newest" ON "audit" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "cancel_requests_one_open" ON "cancel_requests" USING btree ("order_id") WHERE status = 'REQUESTED';--> statement-breakpoint
CREATE INDEX "cancel_requests_status" ON "cancel_requests" USING btree ("status","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "events_id" ON "events" USING btree ("id");--> statement-breakpoint
CREATE INDEX "feedback_newest" ON "feedback" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "finder_keys_agent" ON "finder_keys" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "idempotency_expiry" ON "idempotency" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "incidents_newest" ON "incidents" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "incidents_subject" ON "incidents" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "leads_newest" ON "leads" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_quote" ON "orders" USING btree ("quote_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_page" ON "orders" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "orders_buyer" ON "orders" USING btree ("agent_id","buyer_email","created_at");--> statement-breakpoint
CREATE INDEX "orders_newest" ON "orders" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "quotes_review_hash" ON "quotes" USING btree ("review_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_once" ON "refunds" USING btree ("payment_ref","reason");--> statement-breakpoint
CREATE INDEX "refunds_status" ON "refunds" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "sandbox_kind" ON "sandbox" USING btree ("kind","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "shipments_order" ON "shipments" USING btree ("order_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "waitlist_one_waiting" ON "waitlist" USING btree ("agent_id","product_id","customer") WHERE status = 'WAITING';--> statement-breakpoint
CREATE INDEX "waitlist_queue" ON "waitlist" USING btree ("product_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "waitlist_offer" ON "waitlist" USING btree ("offer_expires_at");--> statement-breakpoint
CREATE INDEX "waitlist_buyer" ON "waitlist" USING btree ("agent_id","customer","status");--> statement-breakpoint
CREATE INDEX "webhooks_try" ON "webhooks" USING btree ("try_at");