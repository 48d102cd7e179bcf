import createClient from "openapi-fetch";
import { serialize } from "./bodies.ts";
import { Bookmark } from "./bookmark.ts";
import { type Calls, callsOf } from "./calls.ts";
import { type Credential, withCredential } from "./credential.ts";
import { type Download, download } from "./download.ts";
import { withIdempotencyKey } from "./idempotency-key.ts";
import { DEFAULT_RETRY, type RetryPolicy, type Send, withRetry } from "./retry.ts";
import type { paths } from "./schema.ts";

export type StorefrontOptions = {
  /** Where the deployment is: `https://shop.example`. */
  baseUrl: string;
  credential?: Credential;
  /** The `bookmark` of an earlier client, to read what that client wrote. */
  bookmark?: string | undefined;
  /** Instead of the network's: a service binding's, `(request) => env.SHOP.fetch(request)`. */
  fetch?: Send;
  retry?: Partial<RetryPolicy>;
};

/** Every route of the API by its method and path; what is not a success is thrown as a StorefrontError. */
export type Storefront = Calls & {
  /** A file that the caller may have. */
  download: (fileId: number, options?: { signal?: AbortSignal }) => Promise<Download>;
  /** A client of this deployment for another caller. */
  as: (credential: Credential) => Storefront;
  /** Where the database stood after this client's last write, to be kept for the next client. */
  readonly bookmark: string | undefined;
};

/** A client of one deployment for one caller. */
export function createStorefront(options: StorefrontOptions): Storefront {
  const bookmark = new Bookmark(options.bookmark);
  const send = withRetry(options.fetch ?? ((request) => fetch(request)), { ...DEFAULT_RETRY, ...options.retry });
  const api = createClient<paths>({ baseUrl: options.baseUrl, fetch: send, bodySerializer: serialize });
  api.use(withCredential(options.credential), withIdempotencyKey, bookmark.middleware);
  const calls = callsOf(api);
  return {
    ...calls,
    download: (fileId, { signal } = {}) => download(calls.GET, send, fileId, signal ?? new AbortController().signal),
    as: (credential) => createStorefront({ ...options, credential, bookmark: bookmark.latest }),
    get bookmark() {
      return bookmark.latest;
    },
  };
}
