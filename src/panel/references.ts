import { sql } from "drizzle-orm";
import type { Entry } from "../platform/audit/audit.ts";
import type { Database } from "../platform/db/client.ts";
import { nameWithValuesOf } from "../platform/db/product-sql.ts";
import { jobLabel } from "./jobs/words.ts";
import type { Need } from "./kit/allowed.tsx";

type ReferencePage = {
  path: string;
  needs: Need;
  table: string;
  name: string;
  /** True if option values belong to the name. */
  values?: true;
  /** Words for a name that is not written for people. */
  words?: (name: string) => string;
};

/** Page, permission and name of the row behind a reference such as `product:7`, by kind. */
export const referencePages: Record<Entry["subject"], ReferencePage> = {
  api_key: { path: "api-keys", needs: "administrators", table: "api_keys", name: "name" },
  app: { path: "apps/registered", needs: "administrators", table: "apps", name: "name" },
  category: { path: "categories", needs: "products:read_all", table: "categories", name: "name" },
  discount: { path: "discounts", needs: "discounts:read", table: "discounts", name: "name" },
  draft_order: { path: "orders/drafts", needs: "orders:read", table: "draft_orders", name: "reference" },
  email_switch: {
    path: "emails/switches",
    needs: "administrators",
    table: "email_switches",
    name: "template",
    words: templateLabel,
  },
  email_text: {
    path: "emails/texts",
    needs: "administrators",
    table: "email_texts",
    name: "template",
    words: templateLabel,
  },
  feed: { path: "feeds", needs: "settings:read", table: "feeds", name: "name" },
  file: { path: "files", needs: "files:read_all", table: "files", name: "name" },
  gift_card: { path: "gift-cards", needs: "orders:read", table: "gift_cards", name: "nonce" },
  image: { path: "images", needs: "products:read_all", table: "images", name: "mime_type" },
  job: { path: "jobs", needs: "jobs:read", table: "jobs", name: "kind", words: jobLabel },
  license_key: { path: "license-keys", needs: "packages:read", table: "license_keys", name: "name" },
  order: { path: "orders", needs: "shipments:read", table: "orders", name: "number" },
  package: { path: "packages", needs: "packages:read", table: "packages", name: "name" },
  page: { path: "pages/versions", needs: "settings:read", table: "page_versions", name: "title" },
  payment_account: { path: "payments", needs: "settings:read", table: "payment_accounts", name: "provider" },
  payment_settings: {
    path: "payments",
    needs: "settings:read",
    table: "payment_settings",
    name: "id",
    words: () => "Payments",
  },
  product: { path: "products", needs: "products:read_all", table: "products", name: "name", values: true },
  saved_view: { path: "saved-views", needs: "products:read_all", table: "saved_views", name: "name" },
  shipping_method: {
    path: "shipping-methods",
    needs: "settings:read",
    table: "shipping_methods",
    name: "name",
  },
  shipping_zone: { path: "shipping-zones", needs: "settings:read", table: "shipping_zones", name: "name" },
  shop: { path: "shop", needs: "settings:read", table: "shop", name: "name" },
  staff_invitation: { path: "staff/invitations", needs: "administrators", table: "staff_invitations", name: "email" },
  tax_rate: { path: "tax-rates", needs: "settings:read", table: "tax_rates", name: "name" },
  user: { path: "customers", needs: "users:read", table: "users", name: "name" },
  webhook: { path: "webhooks", needs: "webhooks:read", table: "webhook_endpoints", name: "url" },
};

const isKind = (kind: string): kind is Entry["subject"] => kind in referencePages;

/** Parts of a reference. Null if it has no page, such as "system". */
export function readReference(reference: string) {
  const [, kind = "", id = ""] = /^(\w+):(\d+)$/.exec(reference) ?? [];
  return isKind(kind) ? { kind, id: Number(id), ...referencePages[kind] } : null;
}

/** Names of the records on a page. Deleted records have none. */
export type Names = ReadonlyMap<string, string>;

type NamedReference = { reference: string; name: string | null };

/** Reads the names of references such as `product:7` by primary key. */
export async function readNames(db: Database, references: Iterable<string | null>): Promise<Names> {
  const wanted = namedIn(references);
  return wanted.length === 0 ? new Map() : toNames(await selectNamed(db, wanted));
}

/** The reference to an account. */
export const userReference = ({ userId }: { userId: number | null }): string => `user:${userId}`;

/** The statement of `readNames`, for a batch. */
export const selectNames = (db: Database, references: Iterable<string | null>) => selectNamed(db, namedIn(references));

const namedIn = (references: Iterable<string | null>) =>
  [...new Set(references)].flatMap((reference) => {
    const known = reference === null ? null : readReference(reference);
    return known ? [[reference, known.kind, known.id]] : [];
  });

const selectNamed = (db: Database, wanted: ReturnType<typeof namedIn>) =>
  db
    .select({ reference: sql<string>`value ->> 0`.as("reference"), name: nameByKind.as("name") })
    .from(sql`json_each(${JSON.stringify(wanted)})`);

export const toNames = (rows: readonly NamedReference[]): Names =>
  new Map(
    rows.flatMap(({ reference, name }) =>
      name === null ? [] : [[reference, readReference(reference)?.words?.(name) ?? name]],
    ),
  );

const nameByKind = sql<string | null>`CASE value ->> 1 ${sql.join(
  Object.entries(referencePages).map(([kind, { table, name, values }]) => {
    const shown = values ? nameWithValuesOf(sql.raw(name), sql`option_values`) : sql.raw(name);
    return sql`${sql.raw(`WHEN '${kind}' THEN`)} (SELECT ${shown} FROM ${sql.raw(table)} WHERE id = value ->> 2)`;
  }),
  sql` `,
)} END`;

const spelled: Record<string, string> = { api: "API", email: "e-mail", two_factor: "two-factor", sign_in: "sign-in" };

/** A template's name for people: "Order confirmation". */
export function templateLabel(template: string): string {
  const words = template.replace(/api|email|two_factor|sign_in/, (part) => spelled[part] ?? part).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
