import { setTimeout } from "node:timers/promises";
import { openShop as openSeeded } from "../bench/shop.ts";
import { liveBytes } from "./isolates.ts";
import { ownRuntime, residentBytes } from "./resident.ts";

/** Milliseconds after an interruption in which requests may still be slow, because the Worker starts cold. */
const GRACE_MS = 3_000;

/** A period without service. */
type Interruption = { what: string; from: number; to: number };

/** A memory measurement after a garbage collection, in bytes. */
type Sample = { at: number; resident: number; heap: number };

/** A shop on its own storage, whose runtime can be killed and replaced while callers continue. */
export async function openShop(products: number, variables: Record<string, string>) {
  const settings = {
    TEST_PAYMENTS: "true",
    STAGING: "true",
    WEBHOOK_LOCALHOST: "true",
    MAIL_FROM: "shop@soak.example",
    WORKER_URL: "http://localhost",
    STAFF_SPENDING_LIMIT: "100000000",
    ...variables,
  };
  const options = { variables: settings, inspected: true };
  const { server, callers } = await openSeeded(["shop"], ".bench/soak", { products }, options);
  const url = server.urlOf("shop");
  const interruptions: Interruption[] = [];
  const samples: Sample[] = [];

  /** Version of the running Worker, which changes when the runtime is restarted. */
  const version = (): Promise<string> =>
    fetch(`${url}/health`)
      .then((response) => response.json() as Promise<{ data: { version: string } }>)
      .then(({ data }) => data.version)
      .catch(() => "");

  async function interrupt(what: string, end: () => Promise<unknown>): Promise<void> {
    const before = await version();
    const interruption = { what, from: Date.now(), to: Number.POSITIVE_INFINITY };
    interruptions.push(interruption);
    await end();
    while (["", before].includes(await version())) await setTimeout(100);
    await server.renewBindings();
    interruption.to = Date.now();
  }

  /** True if an interruption may have broken a request between these times. */
  const wasInterrupted = (from: number, to: number): boolean =>
    interruptions.some((interruption) => from < interruption.to + GRACE_MS && to > interruption.from);

  /** Repeats work that needs the database, which an interruption takes away. */
  async function persist<T>(act: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await act();
      } catch (error) {
        if (tries === 60) throw error;
        await setTimeout(1_000);
      }
    }
  }

  return {
    url,
    /** Its binding changes with the runtime. */
    database: () => server.env.DB,
    interruptions,
    samples,
    stop: server.stop,
    /** Runs `kill -9` on the runtime, which is restarted on its stored data. */
    kill: () => interrupt("kill -9", async () => process.kill(ownRuntime(), "SIGKILL")),
    /** Replaces the running Worker with a new build, which breaks its open requests. */
    deploy: async () => interrupt("deployment", await server.rebuild()),
    runSchedule: () => persist(server.runSchedule),
    query: <Row>(sql: string): Promise<Row[]> =>
      persist(async () => (await server.env.DB.prepare(sql).all<Row>()).results),
    wasInterrupted,
    newUser: () => persist(() => callers.nextUser("customer")),
    newKey: (...permissions: string[]) => persist(() => callers.nextKey(permissions)),
    async sample(): Promise<void> {
      const startedAt = Date.now();
      try {
        const heap = await liveBytes(await server.inspector());
        samples.push({ at: Date.now(), resident: residentBytes(ownRuntime()), heap });
      } catch (error) {
        if (!wasInterrupted(startedAt, Date.now())) throw error;
      }
    },
  };
}
export type Shop = Awaited<ReturnType<typeof openShop>>;
