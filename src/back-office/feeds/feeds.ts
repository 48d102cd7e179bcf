import { desc, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { isoOrNull, line, Timestamp } from "../../domain/fields.ts";
import { Country } from "../../domain/place.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import { declareResource } from "../../platform/administration/resource.ts";
import { applyChange } from "../../platform/administration/write-queries.ts";
import { type AuthorContext, requireFresh } from "../../platform/auth/caller.ts";
import { hashSecret, randomToken } from "../../platform/auth/secrets.ts";
import type { Database } from "../../platform/db/client.ts";
import { type FeedFormat, feedFormats, feeds } from "../../platform/db/schema.ts";
import type { IfMatch } from "../../platform/http/version.ts";
import { patternOf } from "./product-address.ts";

export type FeedRow = typeof feeds.$inferSelect;

export const formatLabels: Record<FeedFormat, string> = { google: "Google Merchant Center", openai: "OpenAI" };

const WebPage = line(500).refine((text) => URL.parse(text)?.protocol === "https:", "must begin with https://");

/** Fields of a feed that administrators can edit. */
const feedFields = declareFields<Omit<FeedRow, "id" | "keyHash" | "readAt" | "createdAt" | "updatedAt">>()({
  name: { schema: line(100), input: { hint: "For you, such as the destination and its country." } },
  format: { schema: z.enum(feedFormats), input: { as: "choice", options: Object.entries(formatLabels) } },
  country: {
    schema: Country.describe("Country whose shoppers see the products (ISO 3166-1)"),
    input: { as: "country", hint: "Where the destination shows your products." },
  },
  product_url: {
    schema: WebPage.describe(
      "URL of any product in the shop, which is stored as a pattern, or a pattern with `{id}` or `{slug}`",
    ),
    input: { label: "Address of a product", hint: "Open any product in your shop and copy its address." },
  },
  returns_url: {
    schema: WebPage.nullable().describe("Page about returns. OpenAI requires one"),
    input: { label: "Page about returns", hint: "OpenAI requires one." },
  },
});

const declared = declareResource({
  table: feeds,
  path: "/feeds",
  permission: "settings",
  names: { one: "feed", many: "feeds" },
  subject: "feed",
  fields: feedFields,
  computed: {
    has_address: {
      of: ({ keyHash }: { keyHash: string | null }) => keyHash !== null,
      answer: z.boolean().describe("True if the feed has a URL. `POST /admin/feeds/{id}/address` creates one"),
    },
    last_read_at: { of: ({ readAt }: { readAt: number | null }) => isoOrNull(readAt), answer: Timestamp.nullable() },
  },
  order: [desc(feeds.id)],
});

export const feedResource: typeof declared = {
  ...declared,
  create: async (ctx, sent) =>
    declared.create(ctx, { ...sent, product_url: await patternOf(ctx.db, sent.product_url) }),
  async change(ctx, { change, ...input }) {
    const product_url = change.product_url && (await patternOf(ctx.db, change.product_url));
    return declared.change(ctx, { ...input, change: { ...change, ...(product_url && { product_url }) } });
  },
};

/** A feed's URL, which is shown once. */
export const FeedAddress = z
  .object({
    address: z.string().describe("Secret URL of the feed, shown only once. The previous URL has stopped working"),
  })
  .meta({ id: "FeedAddress" });

const KEY_PREFIX = "sff_";

const files: Record<FeedFormat, string> = { google: "products.tsv", openai: "products.jsonl.gz" };

export const fileOf = ({ format }: Pick<FeedRow, "format">): string => files[format];

/** Creates a new secret URL for a feed, which ends the previous one. */
export async function rotateFeedUrl(
  ctx: AuthorContext,
  { id, origin, ifMatch }: { id: number; origin: string; ifMatch: IfMatch },
): Promise<z.output<typeof FeedAddress>> {
  requireFresh(ctx.author);
  const before = await feedResource.require(ctx.db, id);
  const key = randomToken(KEY_PREFIX);
  // In the query, because logs contain the path.
  const address = `${origin}/feeds/${fileOf(before)}?key=${key}`;
  const decide = () => ({ columns: { keyHash: hashSecret(key) } as object, secret: { address } });
  const { target } = feedResource;
  await applyChange(ctx, { target, action: "rotate", before, ifMatch, decide });
  return { address };
}

/** Finds the feed of a URL. Undefined if the URL has ended, or never existed. */
export async function findFeed(db: Database, key: string): Promise<FeedRow | undefined> {
  if (!key.startsWith(KEY_PREFIX)) return undefined;
  return db
    .select()
    .from(feeds)
    .where(eq(feeds.keyHash, hashSecret(key)))
    .get();
}

export const markRead = (db: Database, { id }: FeedRow, now: number) =>
  db.update(feeds).set({ readAt: now }).where(eq(feeds.id, id));

/** A version that changes with every event and with the shop's settings. While it is unchanged, so is the feed. */
export async function readCatalogueVersion(db: Database): Promise<string> {
  const row = await db.get<{ version: string }>(
    sql`SELECT concat(coalesce((SELECT max(id) FROM events), 0), '-', (SELECT updated_at FROM shop)) AS version`,
  );
  return row.version;
}
