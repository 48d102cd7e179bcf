import type { Database } from "../../../platform/db/client.ts";
import type { AddressRules } from "../../../platform/http/outbound/address.ts";
import { refusalOfAddress, secured } from "./address.ts";
import type { Fetched } from "./fetch.ts";
import { findFetched } from "./queries.ts";

type Context = { db: Database; rules: AddressRules; now: number };

export type PreviewImages = (context: Context, urls: string[]) => Promise<Map<string, Fetched>>;

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
