CREATE TABLE "rate_limits" (
	"name" text NOT NULL,
	"subject" text NOT NULL,
	"used" integer NOT NULL,
	"ends_at" bigint NOT NULL,
	CONSTRAINT "rate_limits_name_subject_pk" PRIMARY KEY("name","subject")
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"contact_email" text NOT NULL,
	"key_hash" text NOT NULL,
	"key_prefix" text NOT NULL,
	"created_at" bigint NOT NULL,
	"revoked_at" bigint,
	"last_order_at" bigint NOT NULL,
	"first_used_at" bigint DEFAULT 0 NOT NULL
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
CREATE TABLE "finder_credits" (
	"agent_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"credit" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "finder_credits_agent_id_fingerprint_pk" PRIMARY KEY("agent_id","fingerprint")
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" text,
	"quote_hash" text NOT NULL,
	"terms" text NOT NULL,
	"review_token_hash" text NOT NULL,
	"buyer_email" text NOT NULL,
	"customer" text NOT NULL,
	"cart" text,
	"total_minor" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quote_states" (
	"quote_id" text PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"order_id" text,
	"paying_until" bigint,
	"short" text,
	"over_share" text,
	"full_price_quote" text,
	"bought" text,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ucp_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"cart" text NOT NULL,
	"from_cart" text,
	"canceled_at" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"quote_id" text NOT NULL,
	"status" text NOT NULL,
	"outcome" text,
	"declined" integer DEFAULT 0 NOT NULL,
	"session_id" text,
	"payment_ref" text,
	"url" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"hold_until" bigint NOT NULL,
	"holds" text NOT NULL,
	"customer" text,
	"payer" text,
	"wish" text,
	"address" text,
	"check_at" bigint,
	"answers" integer DEFAULT 0 NOT NULL,
	"page" text
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"quote_id" text NOT NULL,
	"number" integer,
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
CREATE TABLE "shipments" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"position" integer NOT NULL,
	"status" text NOT NULL,
	"address" text,
	"carrier" text,
	"tracking_number" text,
	"tracking_key" text,
	"tracking_url" text,
	"shipped_at" bigint,
	"delivered_at" bigint
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
CREATE TABLE "cancel_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"shipment_ids" text,
	"asked_by" text,
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
CREATE TABLE "beans" (
	"product_id" text PRIMARY KEY NOT NULL,
	"position" integer NOT NULL,
	"published" text,
	"on_sale" integer NOT NULL,
	"draft" text,
	"changed_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stock" (
	"product_id" text PRIMARY KEY NOT NULL,
	"on_hand" integer NOT NULL,
	"held" integer NOT NULL,
	"low_at" integer,
	"offers_from" bigint,
	"catalog_version" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "waitlist" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" text,
	"product_id" text NOT NULL,
	"quantity" integer NOT NULL,
	"buyer_email" text NOT NULL,
	"customer" text NOT NULL,
	"address" text,
	"status" text NOT NULL,
	"created_at" bigint NOT NULL,
	"renewed_at" bigint,
	"confirmed_at" bigint,
	"offer_expires_at" bigint,
	"attempt_id" text,
	"extended_at" bigint
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
	"provider_ref" text,
	"key_number" integer DEFAULT 1 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"try_at" bigint,
	"problem" text,
	"created_at" bigint NOT NULL,
	"done_at" bigint
);
--> statement-breakpoint
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
CREATE TABLE "incidents" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"detail" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "audit" (
	"id" text PRIMARY KEY NOT NULL,
	"actor" text NOT NULL,
	"act" text NOT NULL,
	"subject" text NOT NULL,
	"detail" text NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "feedback" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" text NOT NULL,
	"order_id" text,
	"message" text NOT NULL,
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
CREATE TABLE "sandbox" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"body" text NOT NULL,
	"version" integer NOT NULL,
	"created_at" bigint NOT NULL
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
CREATE INDEX "rate_limits_expiry" ON "rate_limits" USING btree ("ends_at");--> statement-breakpoint
CREATE UNIQUE INDEX "agents_key_hash" ON "agents" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "agents_newest" ON "agents" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "agents_unused" ON "agents" USING btree ("created_at") WHERE first_used_at = 0;--> statement-breakpoint
CREATE INDEX "finder_keys_agent" ON "finder_keys" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "finder_keys_expiry" ON "finder_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "finder_credits_age" ON "finder_credits" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "quotes_review_token_hash" ON "quotes" USING btree ("review_token_hash") WHERE review_token_hash <> '';--> statement-breakpoint
CREATE INDEX "quotes_expiry" ON "quotes" USING btree ("expires_at","id");--> statement-breakpoint
CREATE INDEX "quotes_cart" ON "quotes" USING btree ("cart") WHERE cart is not null;--> statement-breakpoint
CREATE INDEX "quotes_customer" ON "quotes" USING btree ("customer","id");--> statement-breakpoint
CREATE UNIQUE INDEX "ucp_sessions_from_cart" ON "ucp_sessions" USING btree ("from_cart");--> statement-breakpoint
CREATE INDEX "ucp_sessions_expiry" ON "ucp_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_one_live" ON "attempts" USING btree ("quote_id") WHERE status in ('CREATING', 'OPEN', 'PROCESSING', 'CAPTURING');--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_session" ON "attempts" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "attempts_quote" ON "attempts" USING btree ("quote_id");--> statement-breakpoint
CREATE INDEX "attempts_payment" ON "attempts" USING btree ("payment_ref");--> statement-breakpoint
CREATE INDEX "attempts_check" ON "attempts" USING btree ("check_at");--> statement-breakpoint
CREATE INDEX "attempts_customer" ON "attempts" USING btree ("customer");--> statement-breakpoint
CREATE INDEX "attempts_page" ON "attempts" USING btree ("page");--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_one_order_of_page" ON "attempts" USING btree ("page") WHERE page is not null and status in ('CAPTURING', 'PAID');--> statement-breakpoint
CREATE UNIQUE INDEX "orders_quote" ON "orders" USING btree ("quote_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_number" ON "orders" USING btree ("number");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_page" ON "orders" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "orders_buyer" ON "orders" USING btree ("agent_id","buyer_email","created_at");--> statement-breakpoint
CREATE INDEX "orders_newest" ON "orders" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "orders_email" ON "orders" USING btree ("buyer_email","created_at");--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "shipments_order" ON "shipments" USING btree ("order_id","position");--> statement-breakpoint
CREATE INDEX "shipments_tracking" ON "shipments" USING btree ("tracking_key");--> statement-breakpoint
CREATE UNIQUE INDEX "events_id" ON "events" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "cancel_requests_one_open" ON "cancel_requests" USING btree ("order_id") WHERE status = 'REQUESTED';--> statement-breakpoint
CREATE INDEX "cancel_requests_status" ON "cancel_requests" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "cancel_requests_order" ON "cancel_requests" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "cancel_requests_newest" ON "cancel_requests" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "customers_empty" ON "customers" USING btree ("email") WHERE paid_orders = 0 and courtesy is null;--> statement-breakpoint
CREATE UNIQUE INDEX "waitlist_one_waiting" ON "waitlist" USING btree ("agent_id","product_id","customer") WHERE status = 'WAITING';--> statement-breakpoint
CREATE INDEX "waitlist_queue" ON "waitlist" USING btree ("product_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "waitlist_offer" ON "waitlist" USING btree ("offer_expires_at");--> statement-breakpoint
CREATE INDEX "waitlist_ended" ON "waitlist" USING btree ("created_at") WHERE status in ('LEFT', 'EXPIRED');--> statement-breakpoint
CREATE INDEX "waitlist_newest" ON "waitlist" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "waitlist_live" ON "waitlist" USING btree ("product_id","created_at","id") WHERE status in ('WAITING', 'OFFERED');--> statement-breakpoint
CREATE INDEX "waitlist_wanted" ON "waitlist" USING btree ("product_id","quantity") WHERE status = 'WAITING';--> statement-breakpoint
CREATE INDEX "waitlist_buyer" ON "waitlist" USING btree ("agent_id","customer","status");--> statement-breakpoint
CREATE INDEX "waitlist_customer" ON "waitlist" USING btree ("customer","product_id","status");--> statement-breakpoint
CREATE INDEX "waitlist_address" ON "waitlist" USING btree ("address");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_by_itself_once" ON "refunds" USING btree ("payment_ref") WHERE reason not in ('MERCHANT', 'OUTSIDE');--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_provider_ref" ON "refunds" USING btree ("provider_ref");--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("payment_ref");--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_due" ON "refunds" USING btree ("try_at");--> statement-breakpoint
CREATE INDEX "disputes_payment" ON "disputes" USING btree ("payment_ref");--> statement-breakpoint
CREATE INDEX "disputes_order" ON "disputes" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "disputes_open" ON "disputes" USING btree ("due_by") WHERE status = 'OPEN';--> statement-breakpoint
CREATE INDEX "incidents_newest" ON "incidents" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "incidents_subject" ON "incidents" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "desk_tasks_open" ON "desk_tasks" USING btree ("kind","created_at","id") WHERE handled_at is null;--> statement-breakpoint
CREATE INDEX "desk_tasks_subject" ON "desk_tasks" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "desk_tasks_age" ON "desk_tasks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "order_notes_order" ON "order_notes" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "audit_newest" ON "audit" USING btree ("at");--> statement-breakpoint
CREATE INDEX "outbox_try" ON "outbox" USING btree ("try_at");--> statement-breakpoint
CREATE INDEX "outbox_newest" ON "outbox" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "outbox_order" ON "outbox" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "feedback_newest" ON "feedback" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "leads_newest" ON "leads" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhooks_try" ON "webhooks" USING btree ("try_at");--> statement-breakpoint
CREATE INDEX "webhooks_age" ON "webhooks" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "sandbox_kind" ON "sandbox" USING btree ("kind","created_at");--> statement-breakpoint
CREATE INDEX "idempotency_expiry" ON "idempotency" USING btree ("expires_at");--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% never changes', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END;
$$;
--> statement-breakpoint
-- A quote is deleted only 30 days after its end (RETENTION_DAYS.unpaid_quotes), and never if money came
-- for it or still can. Only this may change in it: a person's email, addresses and notes can be erased.
-- Bags, prices, dates and hash stay (contract §15). Its status is in quote_states.
CREATE FUNCTION refuse_quote_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  personal text[] := ARRAY['address', 'gift_notes', 'recipient_ref'];
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.expires_at <= (extract(epoch from now()) - 30 * 86400) * 1000
      AND NOT EXISTS (SELECT 1 FROM orders WHERE quote_id = OLD.id)
      AND NOT EXISTS (
        SELECT 1 FROM attempts WHERE quote_id = OLD.id
          AND (payment_ref IS NOT NULL OR status IN ('CREATING', 'OPEN', 'PROCESSING'))
      )
    THEN
      RETURN OLD;
    END IF;
  ELSIF NEW.buyer_email = 'erased' AND NEW.customer = 'erased'
    AND to_jsonb(NEW) - ARRAY['terms', 'buyer_email', 'customer']
      = to_jsonb(OLD) - ARRAY['terms', 'buyer_email', 'customer']
    AND NEW.terms::jsonb - ARRAY['buyer', 'shipments'] = OLD.terms::jsonb - ARRAY['buyer', 'shipments']
    AND (SELECT jsonb_agg(value - personal ORDER BY place)
           FROM jsonb_array_elements(NEW.terms::jsonb -> 'shipments') WITH ORDINALITY AS s (value, place))
      = (SELECT jsonb_agg(value - personal ORDER BY place)
           FROM jsonb_array_elements(OLD.terms::jsonb -> 'shipments') WITH ORDINALITY AS s (value, place))
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% never changes', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END;
$$;
--> statement-breakpoint
CREATE TRIGGER quotes_no_change BEFORE UPDATE OR DELETE ON quotes
FOR EACH ROW EXECUTE FUNCTION refuse_quote_change();
--> statement-breakpoint
CREATE TRIGGER quotes_no_truncate BEFORE TRUNCATE ON quotes
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE FUNCTION delete_with_quote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM quote_states WHERE quote_id = OLD.id;
  DELETE FROM attempts WHERE quote_id = OLD.id;
  RETURN NULL;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER quotes_deleted AFTER DELETE ON quotes
FOR EACH ROW EXECUTE FUNCTION delete_with_quote();
--> statement-breakpoint
-- The event log only grows, so a reader's place in it stays valid.
CREATE TRIGGER events_no_change BEFORE UPDATE OR DELETE ON events
FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON events
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
