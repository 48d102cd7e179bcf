import { setTimeout } from "node:timers/promises";
import { createStorefront, type Storefront, StorefrontError } from "../../src/client/index.ts";
import type { Send } from "../../src/client/retry.ts";
import { addressOf } from "../bench/requests.ts";
import type { Shop } from "./shop.ts";

/** Counts of one kind of request, and the milliseconds that each answer took. */
type Tally = { answered: number; refused: number; retried: number; lost: number; times: number[] };

const GIVE_UP_MS = 3 * 60_000;

/** Maximum number of requests in progress, so that a slow machine is not overloaded. */
const MOST_OPEN = 40;

/** The API's own client, which repeats interrupted requests until the shop is back, and counts all of them. */
export function openClient(shop: Shop) {
  const tallies = new Map<string, Tally>();
  const faults: string[] = [];
  let open = 0;
  let sent = 0;

  /** Records a fault. The report shows the first ones. */
  function fault(text: string): void {
    faults.push(text);
    console.error(`${new Date().toISOString()} FAULT ${text.slice(0, 1_000)}`);
  }

  function tallyOf({ method, url }: Request): Tally {
    const path = new URL(url).pathname.replaceAll(/\/(\d+|tp_[\w-]+)(?=\/|$)/g, "/{id}");
    const tally = tallies.get(`${method} ${path}`) ?? { answered: 0, refused: 0, retried: 0, lost: 0, times: [] };
    tallies.set(`${method} ${path}`, tally);
    return tally;
  }

  async function attempt(request: Request): Promise<Response | null> {
    while (open >= MOST_OPEN) await setTimeout(20);
    open++;
    try {
      const response = await fetch(request.clone());
      // Read as a whole, because an interruption may break the body too.
      const body = response.status === 204 ? null : await response.arrayBuffer();
      return new Response(body, response);
    } catch {
      return null;
    } finally {
      open--;
    }
  }

  /** Each request comes from an address of its own, because addresses have limits too. */
  const send: Send = async (request) => {
    request.headers.set("CF-Connecting-IP", addressOf(++sent));
    const tally = tallyOf(request);
    for (const startedAt = Date.now(); ; ) {
      const sentAt = Date.now();
      const response = await attempt(request);
      if (response && response.status < 500 && !(await isInUse(response))) {
        tally[response.status < 400 ? "answered" : "refused"]++;
        tally.times.push(Date.now() - sentAt);
        return response;
      }
      const line = `${request.method} ${request.url}: ${response ? await response.clone().text() : "no response"}`;
      if (response?.status !== 409 && !shop.wasInterrupted(sentAt, Date.now())) fault(line);
      tally.retried++;
      if (Date.now() - startedAt > GIVE_UP_MS) {
        tally.lost++;
        throw new Error(`Lost: ${line}`);
      }
      await setTimeout(1_000);
    }
  };

  return {
    as: (credential?: string): Storefront =>
      createStorefront({ baseUrl: shop.url, credential, fetch: send, retry: { attempts: 1 } }),
    send,
    fault,
    faults,
    tallies,
  };
}
export type Client = ReturnType<typeof openClient>;

/** True while the first request with the same Idempotency-Key is in progress. */
const isInUse = async (response: Response): Promise<boolean> =>
  response.status === 409 && (await response.clone().text()).includes("idempotency_key_in_use");

type Code = StorefrontError["code"];

/** Null for a call that was refused with this code. Any other error is thrown. */
export const unless = (code: Code) => (error: unknown) => {
  if (error instanceof StorefrontError && error.details.some((detail) => detail.code === code)) return null;
  throw error;
};
