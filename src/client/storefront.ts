import createClient from "openapi-fetch";
import { type Calls, callsOf } from "./calls.ts";
import { downloadFile, type FileDownload } from "./download.ts";
import { withIdempotencyKey } from "./idempotency-key.ts";
import { Bookmark, type Credential, serialize, withCredential } from "./requests.ts";
import { DEFAULT_RETRY, type RetryPolicy, type Send, withRetry } from "./retry.ts";
import type { paths } from "./schema.ts";

export type StorefrontOptions = {
  /** Address of the deployment, such as `https://shop.example`. */
  baseUrl: string;
  credential?: Credential;
  /** The `bookmark` of an earlier client, to see its writes. */
  bookmark?: string | undefined;
  /** Replaces the global fetch, for example by a service binding: `(request) => env.SHOP.fetch(request)`. */
  fetch?: Send;
  retry?: Partial<RetryPolicy>;
};

/** Every route of the API by method and path. Errors are thrown as a StorefrontError. */
export type Storefront = Calls & {
  /** Downloads a file that the caller has access to. */
  download: (fileId: number, options?: { signal?: AbortSignal }) => Promise<FileDownload>;
  /** A client of this deployment for another caller. */
  as: (credential: Credential) => Storefront;
  /** State of the database after this client's last write. Pass it to the next client. */
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
    download: (fileId, { signal } = {}) =>
      downloadFile(calls.GET, send, fileId, signal ?? new AbortController().signal),
    as: (credential) => createStorefront({ ...options, credential, bookmark: bookmark.latest }),
    get bookmark() {
      return bookmark.latest;
    },
  };
}
