import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Shop } from "./shop.ts";

type RequestOptions = {
  kind: string;
  path: string;
  method?: "POST" | "PUT" | "DELETE";
  headers?: Record<string, string>;
  /** Sent as JSON, except forms. */
  body?: unknown;
  /** Error codes with which this request may be refused. */
  refusals?: string[];
};

/** `refused` is the error code. `tries` counts how often the request was sent. */
export type Answer<Data> = { data: Data; text: string; refused: string | null; tries: number };

type Tally = {
  attempted: number;
  acknowledged: number;
  refused: number;
  retried: number;
  lost: number;
  /** Time at which each first attempt was acknowledged, and the milliseconds that it took. */
  timings: [at: number, ms: number][];
};

const GIVE_UP_MS = 3 * 60_000;

/** Maximum number of requests in progress, so that a slow machine is not overloaded. */
const MOST_OPEN = 40;

/** Ends the client's work after the fault was recorded. */
export class UnexpectedAnswer extends Error {}

/** Sends requests as a good client does, and counts them: interrupted ones are repeated with their Idempotency-Key. */
export function openClient(shop: Shop) {
  const tallies = new Map<string, Tally>();
  const faults: string[] = [];
  let open = 0;
  const none = { attempted: 0, acknowledged: 0, refused: 0, retried: 0, lost: 0 };

  function tallyOf(kind: string): Tally {
    const tally = tallies.get(kind) ?? { ...none, timings: [] };
    tallies.set(kind, tally);
    return tally;
  }

  /** Records a fault. The report shows the first ones. */
  function fault(text: string): void {
    faults.push(text);
    console.error(`${new Date().toISOString()} FAULT ${text.slice(0, 1_000)}`);
  }

  function requestOf({ method, headers = {}, body }: RequestOptions): RequestInit {
    const isForm = body instanceof FormData || body instanceof URLSearchParams;
    return {
      ...(method && { method }),
      redirect: "manual",
      headers: {
        ...(method === "POST" && { "Idempotency-Key": randomUUID() }),
        ...(body !== undefined && !isForm && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    };
  }

  async function attempt(path: string, request: RequestInit) {
    while (open >= MOST_OPEN) await setTimeout(20);
    open++;
    const sentAt = Date.now();
    try {
      const response = await fetch(shop.url + path, request);
      return { status: response.status, text: await response.text(), sentAt };
    } catch (error) {
      return { status: 0, text: error instanceof Error ? String(error.cause ?? error) : "", sentAt };
    } finally {
      open--;
    }
  }

  async function ask<Data>(asking: RequestOptions): Promise<Answer<Data>> {
    const { kind, path, refusals = [] } = asking;
    const tally = tallyOf(kind);
    const request = requestOf(asking);
    const line = `${request.method ?? "GET"} ${path}`;
    let firstAt = 0;
    tally.attempted++;
    for (let tries = 1; ; tries++) {
      const { status, text, sentAt } = await attempt(path, request);
      // Excludes the time spent waiting for other callers.
      firstAt ||= sentAt;
      if (status >= 200 && status < 400) {
        tally.acknowledged++;
        if (tries === 1) tally.timings.push([Date.now(), Date.now() - sentAt]);
        return { data: dataOf<Data>(text), text, refused: null, tries };
      }
      const code = /"code":"(\w+)"/g;
      const codes = [...text.matchAll(code)].map(([, name]) => name ?? "");
      if (status > 0 && status < 500 && !codes.includes("idempotency_key_in_use")) {
        const refused = codes.find((name) => refusals.includes(name));
        tally.refused++;
        if (refused) return { data: undefined as Data, text, refused, tries };
        fault(`${kind}: ${line} ${request.body ?? ""}: ${status} ${text.slice(0, 500)}`);
        throw new UnexpectedAnswer(kind);
      }
      if (!shop.wasInterrupted(sentAt, Date.now()) && status !== 409)
        fault(`${kind}: ${line}: ${status} ${text.slice(0, 500)}`);
      if (tries === 1) tally.retried++;
      if (Date.now() - firstAt > GIVE_UP_MS) {
        tally.lost++;
        fault(`${kind}: ${line}: lost after ${tries} attempts`);
        throw new UnexpectedAnswer(kind);
      }
      await setTimeout(Math.min(4_000, 250 * 2 ** tries));
    }
  }

  return { ask, fault, faults, tallies };
}
export type Client = ReturnType<typeof openClient>;

/** Exports and downloads have no envelope. */
function dataOf<Data>(text: string): Data {
  return text.startsWith('{"status"') ? JSON.parse(text).data : (undefined as Data);
}
