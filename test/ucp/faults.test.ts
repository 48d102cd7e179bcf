import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { confirmTestPayments } from "../../src/checkout/payments/test-payments.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { TEST_CARD } from "../payments/support/test-card.ts";
import { type Answer, anAddress } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { LONG } from "../support/long.ts";
import { aProduct, db } from "../support/shop.ts";
import { type Storage, watched } from "../support/watched.ts";
import { aBuyer, aReadySession, ask, deliveredTo, linesOf, openToAgents, paidBy } from "./agent.ts";
import { UcpCheckout } from "./shapes.ts";

// The Worker is killed during an agent's request, at each of its calls in turn.

beforeAll(openToAgents);

const losses = ["before it was done", "after it was done"] as const;

function failingAt(at: number, loss: (typeof losses)[number]) {
  const calls: { storage: Storage; reads: boolean }[] = [];
  const bindings = watched<Env>(env, async (storage, call, reads) => {
    calls.push({ storage, reads });
    if (calls.length !== at) return call();
    if (loss === "after it was done") await call();
    throw new Error(storage === "d1" ? "D1_ERROR: Network connection lost." : "Network connection lost.");
  });
  return { bindings: { ...bindings, ...TEST_CARD }, calls };
}

const body = (product: { id: number }) => ({
  line_items: linesOf(product),
  buyer: aBuyer(),
  fulfillment: deliveredTo(),
});

/** Status of a session after a response. If the shop did not learn of a payment, the schedule confirms it. */
async function settled({ status: http, body }: Answer, id: string) {
  const status = http === 409 ? undefined : UcpCheckout.parse(body).status;
  // A session that was canceled before the answer was lost is closed.
  if (status !== undefined && status !== "complete_in_progress") return status;
  await confirmTestPayments({ db, settings: readSettings({ ...env, ...TEST_CARD }) }, Date.now());
  return UcpCheckout.parse((await ask(`GET /checkout-sessions/${id}`)).body).status;
}

type Asked = { line: string; body: unknown };

const scenarios: Record<string, (product: { id: number }, id: string) => Asked> = {
  create: (product) => ({ line: "POST /checkout-sessions", body: body(product) }),
  update: (product, id) => ({ line: `PUT /checkout-sessions/${id}`, body: body(product) }),
  complete: (_, id) => ({ line: `POST /checkout-sessions/${id}/complete`, body: paidBy() }),
  cancel: (_, id) => ({ line: `POST /checkout-sessions/${id}/cancel`, body: {} }),
};

describe.each(Object.entries(scenarios))("%s", (_, scenario) => {
  it("leaves nothing half done, whichever call fails, and can be repeated", LONG, async () => {
    const attempt = async ({ bindings }: { bindings: Partial<Env> }) => {
      const product = await aProduct();
      const session = await aReadySession(product);
      const asked = scenario(product, session.id);
      const headers = { "Idempotency-Key": crypto.randomUUID(), "CF-Connecting-IP": anAddress() };
      const first = await ask(asked.line, { body: asked.body, headers, bindings });
      const again = await ask(asked.line, { body: asked.body, headers });
      return { first, again, session };
    };
    const whole = failingAt(0, "before it was done");
    const good = await attempt(whole);
    expect(good.first.status).toBeLessThan(400);
    const wanted = UcpCheckout.parse(good.again.body).status;
    for (const [index, { storage, reads }] of whole.calls.entries()) {
      for (const loss of reads ? losses.slice(0, 1) : losses) {
        const { first, again, session } = await attempt(failingAt(index + 1, loss));
        const seen = JSON.stringify({ call: `${index + 1} of ${whole.calls.length}, ${storage}`, loss, first, again });
        if (first.status >= 400) expect([500, 503], seen).toContain(first.status);
        expect(await settled(again, session.id), seen).toBe(wanted);
      }
    }
    expect(await brokenInvariants()).toEqual({});
  });
});
