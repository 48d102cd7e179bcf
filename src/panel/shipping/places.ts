import type { ZoneRow } from "../../checkout/shipping/zones.ts";
import { byName, placeName } from "../kit/countries.ts";

const MOST_NAMED = 8;

/** A zone's places in words. */
export function placesOf({ places, restOfWorld }: Pick<ZoneRow, "places" | "restOfWorld">): string {
  const named = places.map(placeName).sort(byName).slice(0, MOST_NAMED);
  const others = places.length - named.length;
  const all = [...named, others > 0 && `${others} more`, restOfWorld && "All other places"];
  return all.filter(Boolean).join(" · ") || "No places yet";
}
