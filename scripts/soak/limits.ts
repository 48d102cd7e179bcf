import { setTimeout } from "node:timers/promises";
import { signAccessToken } from "../../src/platform/auth/tokens.ts";
import { type Policy, policies } from "../../src/platform/rate-limit/policies.ts";
import type { User } from "../bench/callers.ts";
import { API, asUser, bearer } from "../bench/requests.ts";
import type { Client } from "./client.ts";
import type { Shop } from "./shop.ts";

/** A caller who always exceeds its limit, with the times at which each admitted request was sent and answered. */
export type Greedy = { policy: Policy; admitted: [sentAt: number, answeredAt: number][]; refused: number };

const PAUSE_MS = 220;

type Headers = Record<string, string>;

const sessionOf = ({ id, sessionId }: User) => ({ userId: id, sessionId, authenticatedAt: Date.now() });

/** Runs callers at and beyond their limits until they are stopped. */
export async function openGreedy(shop: Shop, { fault }: Client) {
  const [key = ""] = await shop.callers.newKeys(1, "standard");
  const user = await shop.newUser();
  // An access token expires before the hour is over.
  const withNewToken = async () =>
    asUser({ ...user, ...(await signAccessToken(shop.callers.settings, sessionOf(user))) });
  const callers: [Policy, string, () => Headers | Promise<Headers>][] = [
    ["standard", "/nowhere", () => bearer(key)],
    ["user", "/nowhere", withNewToken],
    ["anonymous", "/files?per_page=1", () => ({ "CF-Connecting-IP": "2001:db8:ffff::1" })],
  ];
  let stopped = false;

  async function send(greedy: Greedy, path: string, headersOf: () => Headers | Promise<Headers>): Promise<void> {
    while (!stopped) {
      const headers = await headersOf();
      const sentAt = Date.now();
      const status = await fetch(`${shop.url}${API}${path}`, { headers }).then(
        (response) => response.text().then(() => response.status),
        () => 0,
      );
      if (status === 200 || status === 404) greedy.admitted.push([sentAt, Date.now()]);
      else if (status === 429) greedy.refused++;
      else if (!shop.wasInterrupted(sentAt, Date.now())) fault(`limit of ${greedy.policy}: ${status}`);
      await setTimeout(PAUSE_MS);
    }
  }

  const greedy = callers.map(([policy]): Greedy => ({ policy, admitted: [], refused: 0 }));
  const sending = Promise.all(callers.map(([, path, headersOf], at) => send(greedy[at] as Greedy, path, headersOf)));
  return {
    greedy,
    stop: async () => {
      stopped = true;
      await sending;
    },
  };
}

/**
 * Maximum number of requests that were certainly admitted within one window: those sent after its start and answered
 * before its end.
 */
export function mostInWindow({ policy, admitted }: Greedy): number {
  const { seconds } = policies[policy];
  return Math.max(
    0,
    ...admitted.map(([begin], first) => {
      let count = 0;
      for (let at = first; (admitted[at]?.[1] ?? Number.POSITIVE_INFINITY) < begin + seconds * 1_000; at++) count++;
      return count;
    }),
  );
}
