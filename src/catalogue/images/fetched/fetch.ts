import { ApiError } from "../../../domain/errors.ts";
import type { Stores } from "../../../downloads/files/public.ts";
import type { Author } from "../../../platform/auth/author.ts";
import { type Resolver, refusalOf } from "../../../platform/http/outbound/resolve.ts";
import { imagePath } from "../address.ts";
import { storeUpload } from "../store.ts";
import { refusalOfAddress, secured } from "./address.ts";
import { type CheckAddress, download, NotFetched } from "./download.ts";
import { findFetched, rememberFetched } from "./queries.ts";

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
