import { type SQL, sql } from "drizzle-orm";
import { conflict } from "../../domain/errors.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import type { Author } from "../../platform/auth/author.ts";
import { type Database, requireFirst, requireRow } from "../../platform/db/client.ts";
import { versionAfter } from "../../platform/db/precondition.ts";
import { translateViolations } from "../../platform/db/violation.ts";
import { writeOnce } from "../../platform/idempotency/queries.ts";
import type { EmailSettings } from "../../platform/settings/email.ts";
import type { ShownPlan } from "./admin-schemas.ts";
import { METHOD, type Plan, toPlan } from "./plan.ts";

const isSetUp = sql`(EXISTS (SELECT 1 FROM shipping_zones) OR EXISTS (SELECT 1 FROM tax_rates))`;

/** Whether there are zones or rates, beside which a preset writes nothing. */
export const readIsSetUp = async (db: Database): Promise<boolean> => {
  const { answer } = requireFirst(await db.all<{ answer: number }>(sql`SELECT ${isSetUp} AS answer`));
  return answer === 1;
};

/** Writes all of a plan or, where there are zones or rates already, nothing. */
export async function insertPlan(
  db: Database,
  author: Author,
  plan: Plan,
  { shopName }: Pick<EmailSettings, "shopName">,
): Promise<ShownPlan> {
  const shown = toPlan(plan);
  const writes = [
    sql`INSERT INTO preconditions (holds) SELECT NOT ${isSetUp}`,
    upsertShop(plan, shopName, author),
    ...insertZones(plan, author),
    insertRates(plan, author),
    auditEntry(author, { action: "set_up", subject: "shop", before: null, after: shown }, 1),
  ];
  const written = writeOnce<ShownPlan>(db, author, writes, sql`json(${JSON.stringify(shown)})`);
  return requireRow(await translateViolations(written, { row_changed: alreadySetUp }));
}

const alreadySetUp = () =>
  conflict(
    "already_set_up",
    "There are shipping zones or tax rates already: delete them first, or add to them by hand",
  );

const upsertShop = (
  { shop: { homeCountry, homeRegion, pricesIncludeTax } }: Plan,
  name: string,
  { now }: Author,
): SQL => sql`
  INSERT INTO shop (id, name, home_country, home_region, prices_include_tax, created_at, updated_at)
  VALUES (1, ${name}, ${homeCountry}, ${homeRegion}, ${Number(pricesIncludeTax)}, ${now}, ${now})
  ON CONFLICT (id) DO UPDATE SET home_country = excluded.home_country, home_region = excluded.home_region,
    prices_include_tax = excluded.prices_include_tax, updated_at = ${versionAfter(now)}`;

/** Each zone, and its method. Names of zones differ within a plan, and there are no others. */
const insertZones = ({ zones }: Plan, { now }: Author): SQL[] => [
  sql`INSERT INTO shipping_zones (name, places, rest_of_world, created_at, updated_at)
    SELECT value ->> 'name', value -> 'places', value ->> 'restOfWorld', ${now}, ${now}
    FROM json_each(${JSON.stringify(zones)})`,
  sql`INSERT INTO shipping_methods (zone_id, name, kind, price, brackets, enabled, created_at, updated_at)
    SELECT shipping_zones.id, ${METHOD}, 'flat_rate', planned.value ->> 'price', '[]', 1, ${now}, ${now}
    FROM json_each(${JSON.stringify(zones)}) AS planned
    JOIN shipping_zones ON shipping_zones.name = planned.value ->> 'name'`,
];

const insertRates = ({ rates }: Plan, { now }: Author): SQL => sql`
  INSERT INTO tax_rates (name, country, region, tax_class, rate, taxes_shipping, created_at, updated_at)
  SELECT value ->> 'name', value ->> 'country', value ->> 'region', value ->> 'taxClass', value ->> 'rate',
    value ->> 'taxesShipping', ${now}, ${now}
  FROM json_each(${JSON.stringify(rates)})`;
