import { and, eq, gt, sql } from "drizzle-orm";
import { ApiError } from "../../domain/errors.ts";
import type { AuthorContext, WriteContext } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { fetchedImages, images, orphanedObjects, productImages } from "../../platform/db/schema.ts";
import {
  type AddressRules,
  type Resolver,
  refusalOf,
  refusalOfUrl,
  UnresolvedHost,
} from "../../platform/http/outbound.ts";
import { imagePath, objectKey } from "./address.ts";
import type { ImageRow } from "./images.ts";
import { storeUpload } from "./store.ts";

/** Time limit for a server to send an image. */
const TIMEOUT_MS = 10_000;

const MOST_REDIRECTS = 3;

/** Thrown with the reason when an image cannot be fetched. */
class NotFetched extends Error {
  /** True if the server did not answer at all. */
  readonly isUnreachable: boolean;
  constructor(message: string, { isUnreachable = false } = {}) {
    super(message);
    this.isUnreachable = isUnreachable;
  }
}

/** Returns what is wrong with a URL, or null if nothing is. */
type CheckImageAddress = (url: string) => Promise<string | null>;

/** Passes the response of a URL to `read`, within a time limit. Every redirect is checked before it is followed. */
async function downloadImage<Result>(
  url: string,
  check: CheckImageAddress,
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new DOMException("No answer in time", "TimeoutError")), TIMEOUT_MS);
  try {
    return await read(await open(url, check, timeout.signal));
  } catch (error) {
    throw timeout.signal.aborted ? unreachable(`did not answer within ${TIMEOUT_MS / 1000} s`) : error;
  } finally {
    clearTimeout(timer);
  }
}

async function open(
  url: string,
  check: CheckImageAddress,
  signal: AbortSignal,
  redirects = 0,
): Promise<AsyncIterable<Uint8Array>> {
  const refusal = await check(url).catch((error: unknown) => {
    throw error instanceof UnresolvedHost ? unreachable("has a name that could not be resolved") : error;
  });
  if (refusal !== null) throw new NotFetched(refusal);
  const headers = { Accept: "image/*", "User-Agent": "Storefront-Images" };
  const response = await fetch(url, { headers, redirect: "manual", signal }).catch(() => {
    throw unreachable("could not be connected to");
  });
  if (response.ok && response.body) return bytesOf(response.body);
  await response.body?.cancel().catch(() => undefined);
  const location = response.headers.get("Location");
  const next = response.status >= 300 && response.status < 400 && location ? URL.parse(location, url) : null;
  if (!next) throw new NotFetched(`answered ${response.status}`);
  if (redirects === MOST_REDIRECTS) throw new NotFetched("redirects too often");
  return open(next.href, check, signal, redirects + 1);
}

async function* bytesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk;
  } catch {
    throw unreachable("broke off");
  }
}

const unreachable = (message: string) => new NotFetched(message, { isUnreachable: true });

/** The path of a fetched image on this deployment, or the reason it could not be fetched. */
export type FetchResult = { path: string } | { problem: string };

/** Images fetched in parallel. Each may be held in memory, twice while it is stored. */
const AT_ONCE = 3;

/** Fetches from a host stop after this many unanswered requests if it has never answered. */
const MOST_UNANSWERED = 3;

type Context = Pick<WriteContext, "env" | "db" | "author"> & {
  resolver: Resolver;
  /** Called periodically during long fetches. */
  heartbeat: () => Promise<unknown>;
};

export type FetchImages = (context: Context, urls: string[]) => Promise<Map<string, FetchResult>>;

/** Fetches images by URL and stores them. Skips images that were fetched recently. */
export const fetchImages: FetchImages = async (context, urls) => {
  const known = await findFetched(context.db, urls, context.author.now);
  const fetched = new Map<string, FetchResult>([...known].map(([url, path]) => [url, { path }]));
  const waiting = urls.filter((url) => !known.has(url));
  const hosts = new Hosts();
  const check = checkedOnce(context.resolver);
  const worker = async (): Promise<void> => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      fetched.set(url, hosts.isDown(url) ? { problem: "is on a host that does not answer" } : await one(url));
      await context.heartbeat();
    }
  };
  const one = async (url: string): Promise<FetchResult> => {
    try {
      const image = await downloadImage(secured(url), check, (bytes) => storeUpload(context, { bytes }));
      await rememberFetched(context, { url, image });
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

/** Returns what is wrong with the image. Storage failures are rethrown because they are not the image's fault. */
function problemOf(error: unknown): string {
  if (error instanceof NotFetched) return error.message;
  if (error instanceof ApiError && error.status < 500) return error.fields[0]?.message ?? error.message;
  throw error;
}

/** Resolves each host name once per batch of images. */
function checkedOnce(resolver: Resolver): CheckImageAddress {
  const byOrigin = new Map<string, ReturnType<CheckImageAddress>>();
  return async (url) => {
    const refusal = refusalOfAddress(url, resolver);
    if (refusal !== null) return refusal;
    const { origin } = new URL(url);
    const checked = byOrigin.get(origin) ?? refusalOf(url, resolver);
    byOrigin.set(origin, checked);
    return checked;
  };
}

/** Tracks which hosts answer. */
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

/** Upgrades http URLs to https, which most shops also serve. */
export const secured = (url: string): string =>
  url.replace(/^http:\/\/(?!localhost[:/]|127\.0\.0\.1[:/])/i, "https://");

/** Returns what is wrong with a URL, judged by its text alone, or null if nothing is. */
export const refusalOfAddress = (url: string, rules: AddressRules): string | null =>
  url.length > MOST_CHARACTERS ? `must have at most ${MOST_CHARACTERS} characters` : refusalOfUrl(secured(url), rules);

/** How long a fetched image is assumed to be unchanged at its URL. */
const FRESH_MS = 7 * 24 * 60 * 60_000;

/** An unused image that will be deleted sooner than this is fetched again. */
const STAYS_MS = 60 * 60_000;

/** Returns the paths of recently fetched images, keyed by URL. */
export async function findFetched(db: Database, urls: string[], now: number): Promise<Map<string, string>> {
  if (urls.length === 0) return new Map();
  const { url, imageId, fetchedAt } = fetchedImages;
  const key = sql`${objectKey("")} || ${images.sha256}`;
  const found = await db
    .select({ url, sha256: images.sha256, mimeType: images.mimeType })
    .from(fetchedImages)
    .innerJoin(images, eq(images.id, imageId))
    .where(
      and(
        sql`${url} IN (SELECT value FROM json_each(${JSON.stringify(urls)}))`,
        gt(fetchedAt, now - FRESH_MS),
        sql`(EXISTS (SELECT 1 FROM ${productImages} WHERE ${productImages.imageId} = ${images.id})
          OR EXISTS (SELECT 1 FROM ${orphanedObjects}
            WHERE ${orphanedObjects.r2Key} = ${key} AND ${orphanedObjects.deleteAt} > ${now + STAYS_MS}))`,
      ),
    );
  return new Map(found.map(({ url: from, ...image }) => [from, imagePath(image)]));
}

export function rememberFetched(
  { db, author: { now } }: AuthorContext,
  { url, image }: { url: string; image: ImageRow },
): Promise<unknown> {
  const fetched = { imageId: image.id, fetchedAt: now };
  return db
    .insert(fetchedImages)
    .values({ url, ...fetched })
    .onConflictDoUpdate({ target: fetchedImages.url, set: fetched })
    .run();
}

export type PreviewImages = (
  context: { db: Database; rules: AddressRules; now: number },
  urls: string[],
) => Promise<Map<string, FetchResult>>;

/** Predicts the result of `fetchImages` without fetching. An image not yet fetched keeps its own URL. */
export const previewImages: PreviewImages = async ({ db, rules, now }, urls) => {
  const known = await findFetched(db, urls, now);
  return new Map(
    urls.map((url) => {
      const problem = refusalOfAddress(url, rules);
      return [url, problem === null ? { path: known.get(url) ?? new URL(secured(url)).href } : { problem }];
    }),
  );
};
