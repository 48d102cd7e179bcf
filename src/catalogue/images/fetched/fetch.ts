import { sql } from "drizzle-orm";
import { ApiError } from "../../../domain/errors.ts";
import type { Stores } from "../../../downloads/files/public.ts";
import type { Author } from "../../../platform/auth/author.ts";
import type { Database } from "../../../platform/db/client.ts";
import type { ImageType } from "../../../platform/db/schema.ts";
import { type AddressRules, refusalOfUrl } from "../../../platform/http/outbound/address.ts";
import { type Resolver, refusalOf } from "../../../platform/http/outbound/resolve.ts";
import { imagePath, objectKey } from "../address.ts";
import type { ImageRow } from "../schemas.ts";
import { storeUpload } from "../store.ts";
import { type CheckAddress, download, NotFetched } from "./download.ts";

/** An image that was fetched: its path here. Or why it was not. */
export type Fetched = { path: string } | { problem: string };

/** How many are fetched at once: each may be held in memory, twice while it is stored. */
const AT_ONCE = 3;

/** A host that did not answer so often, and not once did, is left alone. */
const MOST_UNANSWERED = 3;

type Context = Stores & {
  author: Author;
  resolver: Resolver;
  /** Called now and then while it takes long. */
  heartbeat: () => Promise<unknown>;
};

export type FetchImages = (context: Context, urls: string[]) => Promise<Map<string, Fetched>>;

/** Fetches images by their addresses and stores them, but for those that were fetched not long ago. */
export const fetchImages: FetchImages = async (context, urls) => {
  const known = await findFetched(context.db, urls, context.author.now);
  const fetched = new Map<string, Fetched>([...known].map(([url, path]) => [url, { path }]));
  const waiting = urls.filter((url) => !known.has(url));
  const hosts = new Hosts();
  const check = checkedOnce(context.resolver);
  const worker = async (): Promise<void> => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      fetched.set(url, hosts.isDown(url) ? { problem: "is of a host that does not answer" } : await one(url));
      await context.heartbeat();
    }
  };
  const one = async (url: string): Promise<Fetched> => {
    try {
      const image = await download(secured(url), check, (bytes) => storeUpload(context, { bytes }, context.author));
      await rememberFetched(context.db, url, image, context.author.now);
      hosts.answered(url);
      return { path: imagePath(image) };
    } catch (error) {
      if (error instanceof NotFetched && error.isUnreachable) hosts.failed(url);
      return { problem: problemOf(error) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return fetched;
};

/** What is wrong with the image. That it could not be stored is no fault of it. */
function problemOf(error: unknown): string {
  if (error instanceof NotFetched) return error.message;
  if (error instanceof ApiError && error.status < 500) return error.fields[0]?.message ?? error.message;
  throw error;
}

/** Resolves the name of a host once, for as long as some images take. */
function checkedOnce(resolver: Resolver): CheckAddress {
  const byOrigin = new Map<string, ReturnType<CheckAddress>>();
  return async (url) => {
    const refusal = refusalOfAddress(url, resolver);
    if (refusal !== null) return refusal;
    const { origin } = new URL(url);
    const checked = byOrigin.get(origin) ?? refusalOf(url, resolver);
    byOrigin.set(origin, checked);
    return checked;
  };
}

/** Which hosts answer. */
class Hosts {
  readonly #failures = new Map<string, number>();

  isDown(url: string): boolean {
    return (this.#failures.get(hostOf(url)) ?? 0) >= MOST_UNANSWERED;
  }

  answered(url: string): void {
    this.#failures.set(hostOf(url), Number.NEGATIVE_INFINITY);
  }

  failed(url: string): void {
    this.#failures.set(hostOf(url), (this.#failures.get(hostOf(url)) ?? 0) + 1);
  }
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? url;

const MOST_CHARACTERS = 2_000;

/** Most shops that have addresses without TLS answer with it, too. */
export const secured = (url: string): string =>
  url.replace(/^http:\/\/(?!localhost[:/]|127\.0\.0\.1[:/])/i, "https://");

/** What is wrong with an address as far as its text tells, null if nothing is. */
export const refusalOfAddress = (url: string, rules: AddressRules): string | null =>
  url.length > MOST_CHARACTERS ? `must have at most ${MOST_CHARACTERS} characters` : refusalOfUrl(secured(url), rules);

/** How long an address is taken to have the image that it had. */
const FRESH_MS = 7 * 24 * 60 * 60_000;

/** An image that is deleted sooner, since no product shows it, is fetched again. */
const STAYS_MS = 60 * 60_000;

/** The paths of images that were fetched by some of these addresses not long ago, by the addresses. */
export async function findFetched(db: Database, urls: string[], now: number): Promise<Map<string, string>> {
  if (urls.length === 0) return new Map();
  const found = await db.all<{ url: string; sha256: string; mimeType: ImageType }>(sql`
    SELECT url, sha256, mime_type AS mimeType FROM fetched_images JOIN images ON images.id = image_id
    WHERE url IN (SELECT value FROM json_each(${JSON.stringify(urls)})) AND fetched_at > ${now - FRESH_MS} AND (
      EXISTS (SELECT 1 FROM product_images WHERE image_id = images.id)
      OR EXISTS (SELECT 1 FROM orphaned_objects WHERE r2_key = ${objectKey("")} || sha256 AND delete_at > ${now + STAYS_MS}))`);
  return new Map(found.map(({ url, ...image }) => [url, imagePath(image)]));
}

export const rememberFetched = (db: Database, url: string, { id }: ImageRow, now: number): Promise<unknown> =>
  db.run(sql`INSERT INTO fetched_images (url, image_id, fetched_at) VALUES (${url}, ${id}, ${now})
    ON CONFLICT (url) DO UPDATE SET image_id = excluded.image_id, fetched_at = excluded.fetched_at`);

export type PreviewImages = (
  context: { db: Database; rules: AddressRules; now: number },
  urls: string[],
) => Promise<Map<string, Fetched>>;

/** What fetching images would find, as far as it is known without it: what is new has its own address. */
export const previewImages: PreviewImages = async ({ db, rules, now }, urls) => {
  const known = await findFetched(db, urls, now);
  return new Map(
    urls.map((url) => {
      const problem = refusalOfAddress(url, rules);
      return [url, problem === null ? { path: known.get(url) ?? new URL(secured(url)).href } : { problem }];
    }),
  );
};
