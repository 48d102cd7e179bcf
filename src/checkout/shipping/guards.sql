-- Writes a row for each place of a new zone. A place in two zones is refused, because its row would repeat.
CREATE TRIGGER shipping_zone_has_places AFTER INSERT ON shipping_zones
BEGIN
  INSERT INTO shipping_zone_places (country, region, zone_id)
  SELECT value ->> 'country', ifnull(value ->> 'region', ''), NEW.id FROM json_each(NEW.places);
END;

-- Replaces the rows for the places of a changed zone.
CREATE TRIGGER shipping_zone_changes_places AFTER UPDATE OF places ON shipping_zones
BEGIN
  DELETE FROM shipping_zone_places WHERE zone_id = NEW.id;
  INSERT INTO shipping_zone_places (country, region, zone_id)
  SELECT value ->> 'country', ifnull(value ->> 'region', ''), NEW.id FROM json_each(NEW.places);
END;
