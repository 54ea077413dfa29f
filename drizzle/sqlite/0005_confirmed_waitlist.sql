CREATE INDEX `waitlist_confirmed` ON `waitlist` (`product_id`,`created_at`,`id`) WHERE status = 'WAITING' and confirmed_at is not null;--> statement-breakpoint
-- 0.3.0 let a customer confirm several entries for a bean. One stays confirmed, and the others wait.
UPDATE waitlist SET confirmed_at = NULL
WHERE status IN ('WAITING', 'OFFERED') AND confirmed_at IS NOT NULL AND id <> (
  SELECT w.id FROM waitlist w
  WHERE w.product_id = waitlist.product_id AND w.customer = waitlist.customer
    AND w.status IN ('WAITING', 'OFFERED') AND w.confirmed_at IS NOT NULL
  ORDER BY CASE w.status WHEN 'OFFERED' THEN 0 ELSE 1 END, w.created_at, w.id LIMIT 1);
--> statement-breakpoint
CREATE UNIQUE INDEX `waitlist_one_confirmed` ON `waitlist` (`product_id`,`customer`) WHERE status in ('WAITING', 'OFFERED') and confirmed_at is not null;