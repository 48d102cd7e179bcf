import { randomBytes } from "node:crypto";
import { KEY_PREFIX } from "../../src/auth/api-keys/format.ts";
import { policies } from "../../src/rate-limit/policies.ts";
import type { Callers, User } from "./callers.ts";
import { API, bearer, downloadOf, get, type HttpRequest, inTurn, loginOf, sendAll } from "./requests.ts";

/** Requests enough for so many seconds, to be sent to `url`: new ones for each round. */
export type Prepare = (seconds: number, url: string) => Promise<HttpRequest[]>;

/** More a second than a machine will answer. */
const FASTEST = { byKeys: 20_000, byUsers: 4_000, once: 5_000, logins: 50 };

/** Below the limits, so that nobody is refused who should not be: connections do not share their requests out evenly. */
const SHARE_OF_LIMIT = 0.7;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: Math.ceil(count) }, (_, index) => make(index));

/** Who calls, in the ways that scenarios need. */
export function traffic({ settings, fileId, password, newKeys, newUsers }: Callers) {
  let unique = 0;
  const manyKeys = (seconds: number) =>
    newKeys(16 + (FASTEST.byKeys * seconds) / (policies.premium * SHARE_OF_LIMIT), "premium");
  const manyUsers = (seconds: number) =>
    newUsers(16 + (FASTEST.byUsers * seconds) / (policies.standard * SHARE_OF_LIMIT));

  return {
    always:
      (request: HttpRequest): Prepare =>
      async () =>
        times(16, () => request),

    byKeys:
      (request: (key: string, index: number) => HttpRequest): Prepare =>
      async (seconds) =>
        (await manyKeys(seconds)).map(request),

    byUsers:
      (request: (user: User, index: number) => HttpRequest): Prepare =>
      async (seconds) =>
        (await manyUsers(seconds)).map(request),

    /** Answers hold the address that was called, so under a new host name nothing can be remembered. */
    neverTwice:
      (path: string): Prepare =>
      async (seconds) => {
        const key = inTurn(await manyKeys(seconds));
        return times(FASTEST.once * seconds, (index) =>
          get(path, { Host: `shop-${++unique}.example`, ...bearer(key(index)) }),
        );
      },

    forgedKeys:
      (path: string): Prepare =>
      async () =>
        times(1_000, () => get(path, bearer(KEY_PREFIX + randomBytes(33).toString("hex").slice(0, 33)))),

    /** Standard keys that have no request left in this minute. */
    spentKeys:
      (path: string): Prepare =>
      async (_, url) => {
        const requests = (await newKeys(16, "standard")).map((key) => get(path, bearer(key)));
        await sendAll(
          url,
          requests.flatMap(({ headers }) => times(policies.standard, () => get(`${API}/nowhere`, headers))),
        );
        return requests;
      },

    /** Each from an address of its own, and without a credential. */
    logins: async (seconds: number) => {
      const user = inTurn(await newUsers(16));
      return times(FASTEST.logins * seconds, (index) => loginOf(user(index), password, ++unique));
    },

    /** Each on a link of its own, so that each counts. */
    downloads: async (seconds: number) => {
      const user = inTurn(await manyUsers(seconds));
      return Promise.all(
        times(FASTEST.once * seconds, (index) => downloadOf(settings.linkSecrets, user(index), fileId)),
      );
    },
  };
}
