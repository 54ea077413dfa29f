ALTER TABLE `orders` ADD `number` integer;
--> statement-breakpoint
-- Orders that are there already get their numbers in the order in which they came.
UPDATE `orders` SET `number` = `counted`.`number` FROM (
  SELECT `id`, 1000 + row_number() OVER (ORDER BY `created_at`, `id`) AS `number` FROM `orders`
) AS `counted` WHERE `counted`.`id` = `orders`.`id`;
--> statement-breakpoint
INSERT INTO `settings` (`name`, `value`)
  SELECT 'order_number', CAST(1000 + count(*) AS text) FROM `orders` HAVING count(*) > 0;
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number` ON `orders` (`number`);