import { env } from "cloudflare:workers";
import { TEST_CARD } from "../payments/support/test-card.ts";
import { callWith } from "../support/call.ts";
import { settleShop } from "../support/pricing.ts";

/** The profile that the agent of these tests names, and the header that names it. */
export const PROFILE = `${env.STRIPE_API_URL}/shoppers/profile.json`;
export const AS_AGENT = { "UCP-Agent": `profile="${PROFILE}"` };

type Asked = { body?: unknown; headers?: Record<string, string>; bindings?: Partial<Env> };

/** Sends one request of an agent to the REST binding of a shop with test payments. */
export const ask = (line: string, { body, headers = {}, bindings = TEST_CARD }: Asked = {}) => {
  const [method, path] = line.split(" ");
  return callWith(bindings, `${method} https://shop.test/ucp/v1${path}`, {
    body,
    headers: { ...AS_AGENT, ...headers },
  });
};

export const openToAgents = () => settleShop({ agentAccess: "open" });

let buyers = 0;

/** A new buyer. */
export const aBuyer = () => ({ email: `agent-${++buyers}@example.test`, first_name: "Ada", last_name: "Lovelace" });

export const DESTINATION = {
  street_address: "12 St James's Square",
  address_locality: "London",
  postal_code: "SW1Y 4JH",
  address_country: "GB",
};

export const deliveredTo = (destination: object = DESTINATION, option?: string) => ({
  methods: [
    {
      type: "shipping",
      destinations: [destination],
      ...(option !== undefined && { groups: [{ selected_option_id: option }] }),
    },
  ],
});

export const linesOf = (product: { id: number }, quantity = 1) => [{ item: { id: String(product.id) }, quantity }];

/** A test card payment with this outcome. */
export const paidBy = (token = "succeed", handler_id = "test_card") => ({
  payment: {
    instruments: [{ id: "pi_1", handler_id, type: "card", selected: true, credential: { type: "token", token } }],
  },
});

/** A session with everything that an order needs. */
export async function aReadySession(product: { id: number }, more: object = {}, bindings: Partial<Env> = TEST_CARD) {
  const body = { line_items: linesOf(product), buyer: aBuyer(), fulfillment: deliveredTo(), ...more };
  return (await ask("POST /checkout-sessions", { body, bindings })).body;
}

export const complete = (id: string, body: object = paidBy(), more: Asked = {}) =>
  ask(`POST /checkout-sessions/${id}/complete`, { body, ...more });
