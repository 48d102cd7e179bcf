-- Prevents a place in two zones: each place has one row, which a second zone would repeat.
CREATE TRIGGER shipping_zone_has_places AFTER INSERT ON shipping_zones
BEGIN
  INSERT INTO shipping_zone_places (country, region, zone_id)
  SELECT value ->> 'country', ifnull(value ->> 'region', ''), NEW.id FROM json_each(NEW.places);
END;

-- Prevents a place from staying in a zone that no longer names it.
CREATE TRIGGER shipping_zone_changes_places AFTER UPDATE OF places ON shipping_zones
BEGIN
  DELETE FROM shipping_zone_places WHERE zone_id = NEW.id;
  INSERT INTO shipping_zone_places (country, region, zone_id)
  SELECT value ->> 'country', ifnull(value ->> 'region', ''), NEW.id FROM json_each(NEW.places);
END;
