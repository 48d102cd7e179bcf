import { expect, inject, it } from "vitest";
import { smoke } from "../../scripts/smoke/run.ts";

const { base_url: url, api_keys } = inject("shop");
const credentials = { apiKey: api_keys.standard };

/** Output of a smoke test, and its failure. */
async function tried(target: Partial<Parameters<typeof smoke>[0]> = {}) {
  const lines: string[] = [];
  const failure = await smoke({ url, credentials, print: (line) => lines.push(line), ...target }).then(
    () => null,
    (error: Error) => error.message,
  );
  return { lines, failure };
}

it("accepts a working shop, and removes its test data", async () => {
  const { lines, failure } = await tried();
  expect(failure).toBeNull();
  const left = lines.filter((line) => line.startsWith("left"));
  expect(lines.filter((line) => line.startsWith("ok"))).toHaveLength(10);
  // A key without payments:write cannot refund the test order.
  expect(left).toEqual([expect.stringContaining("lacks the permission payments:write")]);
});

it("tests one version of the Worker, and reports if another one answers", async () => {
  const sent: (string | null)[] = [];
  const spy: typeof fetch = (input, init) => {
    sent.push(new Headers(init?.headers).get("Cloudflare-Workers-Version-Overrides"));
    return fetch(input, init);
  };
  const { failure } = await tried({ versionId: "a1b2", worker: "storefront", fetch: spy });
  expect(sent).toEqual(['storefront="a1b2"']);
  expect(failure).toMatch(/^The shop answers, by the expected version: no\. Version \S+ answers instead of a1b2\.$/);
});

it("names the failed check and response, and still cleans up", async () => {
  const changed: string[] = [];
  const broken: typeof fetch = async (input, init) => {
    if (init?.method === "PUT") changed.push(`${new URL(String(input)).pathname} ${init.body}`);
    if (String(input).endsWith("/cart")) return Response.json({ message: "Out of order" }, { status: 500 });
    return fetch(input, init);
  };
  const { lines, failure } = await tried({ fetch: broken });
  expect(failure).toBe("A cart takes a product: no. POST /api/v1/user/cart answered 500 instead of 201: Out of order");
  expect(lines.filter((line) => !line.startsWith("ok"))).toEqual([]);
  expect(changed).toEqual([expect.stringMatching(/^\/api\/v1\/admin\/products\/\d+ \{"status":"draft"\}$/)]);
});
