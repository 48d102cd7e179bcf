import { randomBytes } from "node:crypto";
import { KEY_PREFIX } from "../../src/platform/auth/api-keys/format.ts";
import { policies } from "../../src/platform/rate-limit/policies.ts";
import type { Callers, User } from "./callers.ts";
import { API, bearer, downloadOf, get, type HttpRequest, inTurn, loginOf, sendAll, validationOf } from "./requests.ts";

/** Prepares requests to `url` for some seconds, new ones for each round. */
export type Prepare = (seconds: number, url: string) => Promise<HttpRequest[]>;

/** Requests per second, more than any machine can answer. */
const FASTEST = { byKeys: 20_000, byUsers: 4_000, writesByUsers: 1_000, once: 3_000, logins: 50 };

/** Requests per caller and round, below its limit, so that none is refused unexpectedly. */
const SENT_BY = {
  key: policies.premium.limit * 0.9,
  user: policies.user.limit * 0.9,
  address: policies["license-keys"].limit * 0.9,
};

/** Copies of a request that is sent again and again: more than a scenario has connections, because each needs one. */
const COPIES = 32;

/** Callers at a time. Each group sends its share before the next one starts. */
const AT_ONCE = 8;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: Math.ceil(count) }, (_, index) => make(index));

/** Repeats each caller `sent` times, in groups of a few. */
function inGroups<T>(callers: T[], sent: number): T[] {
  const groups = times(callers.length / AT_ONCE, (index) => callers.slice(index * AT_ONCE, (index + 1) * AT_ONCE));
  return groups.flatMap((group) => times(sent, () => group).flat());
}

/** Requests by callers, as the scenarios need them. */
export function traffic({ settings, fileId, password, newKeys, newUsers, newLicenses }: Callers) {
  let unique = 0;
  const manyKeys = async (sent: number) =>
    inGroups(await newKeys(AT_ONCE + sent / SENT_BY.key, "premium"), SENT_BY.key);
  const manyUsers = async (sent: number) => inGroups(await newUsers(AT_ONCE + sent / SENT_BY.user), SENT_BY.user);

  return {
    always:
      (request: HttpRequest): Prepare =>
      async () =>
        times(COPIES, () => request),

    byKeys:
      (request: (key: string, index: number) => HttpRequest): Prepare =>
      async (seconds) =>
        (await manyKeys(FASTEST.byKeys * seconds)).map(request),

    byUsers:
      (request: (user: User, index: number) => HttpRequest): Prepare =>
      async (seconds) =>
        (await manyUsers(FASTEST.byUsers * seconds)).map(request),

    /** Uses fewer users than reads do, because objects of idle users would be evicted during other measurements. */
    writesByUsers:
      (request: (user: User, index: number) => HttpRequest): Prepare =>
      async (seconds) =>
        (await manyUsers(FASTEST.writesByUsers * seconds)).map(request),

    /** Cycles through the paths. Responses contain the requested host, so a new host name prevents caching. */
    neverTwice:
      (...paths: string[]): Prepare =>
      async (seconds) => {
        const path = inTurn(paths);
        const keys = await manyKeys(FASTEST.once * seconds);
        return keys.map((key, index) => get(path(index), { Host: `shop-${++unique}.example`, ...bearer(key) }));
      },

    /** Sends no credential, for floors. */
    repeated:
      (...paths: string[]): Prepare =>
      async () =>
        times(COPIES, () => paths.map((path) => get(path))).flat(),

    forgedKeys:
      (path: string): Prepare =>
      async () =>
        times(1_000, () => get(path, bearer(KEY_PREFIX + randomBytes(33).toString("hex").slice(0, 33)))),

    /** Standard keys without any requests left in this minute. */
    spentKeys:
      (path: string): Prepare =>
      async (_, url) => {
        const requests = (await newKeys(COPIES, "standard")).map((key) => get(path, bearer(key)));
        await sendAll(
          url,
          requests.flatMap(({ headers }) => times(policies.standard.limit, () => get(`${API}/nowhere`, headers))),
        );
        return requests;
      },

    /** Each from an unused address, and without a credential. */
    logins: async (seconds: number) => {
      const user = inTurn(await newUsers(64));
      return times(FASTEST.logins * seconds, (index) => loginOf(user(index), password, ++unique));
    },

    /** One license key, validated from many addresses. */
    licenses: async (seconds: number) => {
      const [text = ""] = await newLicenses(1);
      const callers = times(AT_ONCE + (FASTEST.byUsers * seconds) / SENT_BY.address, () => ++unique);
      return inGroups(callers, SENT_BY.address).map((caller) => validationOf(caller, text));
    },

    /** Each key from an address of its own, for a device on which it is not active, because that answer is not cached. */
    unreadLicenses: async (seconds: number) => {
      const texts = await newLicenses(AT_ONCE + (FASTEST.once * seconds) / SENT_BY.address);
      const callers = texts.map((text) => ({ text, caller: ++unique }));
      return inGroups(callers, SENT_BY.address).map(({ text, caller }) => validationOf(caller, text, "none"));
    },

    /** Each with an unused link, so that each download counts. */
    downloads: async (seconds: number) => {
      const users = await manyUsers(FASTEST.once * seconds);
      return Promise.all(users.map((user) => downloadOf(settings.linkSecrets, user, fileId)));
    },
  };
}
