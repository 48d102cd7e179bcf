import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { app } from "../../../src/app.ts";
import type { TestOutcome } from "../../../src/checkout/payments/test-payments.ts";
import { RETURN_URL } from "./shop.ts";

/** A staging deployment, which takes test payments. */
export const TEST_CARD = { TEST_PAYMENTS: "true", STAGING: "true", CHECKOUT_RETURN_URL: RETURN_URL } as const;

/** Opens or submits the page of a payment, and waits for background work. */
export async function askTestPage(url: string, outcome?: string, bindings: object = TEST_CARD) {
  const headers = { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" };
  const request =
    outcome === undefined
      ? new Request(url)
      : new Request(url, { method: "POST", headers, body: `outcome=${outcome}` });
  const context = createExecutionContext();
  const response = await app.fetch(request, { ...env, ...bindings }, context);
  const html = await response.text();
  await waitOnExecutionContext(context);
  return { status: response.status, headers: response.headers, html };
}

type Placed = { payment: { next_action: { url: string } | null } };

/** Chooses the outcome of an order's payment on the provider's page. */
export const chooseOutcome = ({ payment }: Placed, outcome: TestOutcome) =>
  askTestPage(payment.next_action?.url ?? "", outcome);
