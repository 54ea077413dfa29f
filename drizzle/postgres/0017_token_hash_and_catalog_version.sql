ALTER TABLE "quotes" RENAME COLUMN "review_hash" TO "review_token_hash";--> statement-breakpoint
-- Renamed, not made anew: however many quotes there are, nobody waits for an index to be built.
ALTER INDEX "quotes_review_hash" RENAME TO "quotes_review_token_hash";--> statement-breakpoint
ALTER TABLE "stock" ADD COLUMN "catalog_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "attempts" DROP COLUMN "courtesy";
