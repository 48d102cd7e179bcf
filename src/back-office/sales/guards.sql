-- Deletes the added-up sales when the time zone changes: all are added up again by its days.
CREATE TRIGGER shop_time_zone_restarts_sales AFTER UPDATE OF time_zone ON shop WHEN OLD.time_zone <> NEW.time_zone
BEGIN
  DELETE FROM sales;
  DELETE FROM sales_progress;
  DELETE FROM failed_items WHERE queue = 'add_up_sales';
END;

-- Deletes sales by days in UTC when the first settings of a shop name another time zone.
CREATE TRIGGER shop_creation_restarts_sales AFTER INSERT ON shop WHEN NEW.time_zone <> 'UTC'
BEGIN
  DELETE FROM sales;
  DELETE FROM sales_progress;
  DELETE FROM failed_items WHERE queue = 'add_up_sales';
END;
