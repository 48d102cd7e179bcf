ALTER TABLE `draft_orders` ADD `given_away` text;
