CREATE TABLE `beans` (
	`product_id` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`published` text,
	`on_sale` integer NOT NULL,
	`draft` text,
	`changed_at` integer NOT NULL
);
