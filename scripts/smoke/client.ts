/** A shop to test at its address, through one version of its Worker if `versionId` is given. */
export type Target = {
  url: string;
  versionId?: string | undefined;
  /** Name of the Worker, by which the platform finds the version. */
  worker?: string | undefined;
  fetch?: typeof fetch | undefined;
};

export type SmokeRequest = { as?: string | undefined; body?: unknown; headers?: Record<string, string> };

export type SmokeResponse<Data> = { status: number; headers: Headers; text: string; data: Data };

export type Client = ReturnType<typeof clientOf>;

/** Requests to the target. Each throws an explanation unless the response has the expected status. */
export function clientOf({ url, versionId, worker, fetch: send = fetch }: Target) {
  const override: Record<string, string> =
    versionId && worker ? { "Cloudflare-Workers-Version-Overrides": `${worker}="${versionId}"` } : {};

  async function expectStatus<Data>(
    status: number,
    line: string,
    sent: SmokeRequest = {},
  ): Promise<SmokeResponse<Data>> {
    const [method = "GET", path = "/"] = line.split(" ");
    const headers = new Headers({ ...override, ...sent.headers });
    if (sent.as !== undefined) headers.set("Authorization", `Bearer ${sent.as}`);
    const isText = typeof sent.body === "string";
    if (sent.body !== undefined && !isText) headers.set("Content-Type", "application/json");
    if (method === "POST" && !isText) headers.set("Idempotency-Key", crypto.randomUUID());
    const body = sent.body === undefined || isText ? (sent.body as string | undefined) : JSON.stringify(sent.body);
    const address = new URL(path, url);
    check(address.origin === new URL(url).origin, `${address} is not an address of the shop.`);
    const response = await send(address, { method, headers, body: body ?? null, redirect: "manual" });
    const text = await response.text();
    const content = response.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : {};
    if (response.status !== status) {
      const problems = Object.values(content.errors ?? {})
        .flat()
        .filter((problem) => typeof problem === "string");
      const said = [content.message, ...problems].filter(Boolean).join(". ") || "no message";
      throw new Error(`${line} answered ${response.status} instead of ${status}: ${said}`);
    }
    return { status: response.status, headers: response.headers, text, data: content.data };
  }

  return {
    url,
    versionId,
    expectStatus,
    /** `data` of a response that must be 200. */
    ask: async <Data>(line: string, sent?: SmokeRequest): Promise<Data> =>
      (await expectStatus<Data>(200, line, sent)).data,
    /** `data` of a response that must be 201. */
    create: async <Data>(line: string, sent: SmokeRequest): Promise<Data> =>
      (await expectStatus<Data>(201, line, sent)).data,
  };
}

/** Throws the explanation unless the condition holds. */
export function check(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Error(sentence);
}

const PAUSE_MS = 250;
const PATIENCE_MS = 30_000;

/** Reads until `isReached` returns true. Throws the explanation after half a minute. */
export async function eventually<Value>(
  read: () => Promise<Value>,
  isReached: (value: Value) => boolean,
  sentence: string,
): Promise<Value> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const value = await read();
    if (isReached(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(sentence);
}
