import type { Agent } from "./client.ts";

const BUYER = { email: "robin@example.com", first_name: "Robin", last_name: "Reader" };
const BERLIN = {
  street_address: "Unter den Linden 5",
  address_locality: "Berlin",
  postal_code: "10117",
  address_country: "DE",
};

type Variant = { id: string; title: string; price: { amount: number }; availability: { available: boolean } };

/** Buys the cheapest notebook in stock for delivery to Berlin. */
export async function buyNotebook(agent: Agent): Promise<void> {
  await agent.connect();
  const search = agent.find("search_catalog");
  const found: Variant[] = [];
  for (let cursor: string | undefined; ; ) {
    const pagination = { limit: 5, ...(cursor !== undefined && { cursor }) };
    const page = await agent.use(search, { catalog: { query: "notebook", pagination } });
    for (const { title, variants } of page.products) {
      for (const variant of variants) found.push({ ...variant, title: `${title} ${variant.title}` });
    }
    ({ cursor } = page.pagination);
    if (!page.pagination.has_next_page) break;
  }
  const [cheapest] = found
    .filter(({ availability }) => availability.available)
    .toSorted((a, b) => a.price.amount - b.price.amount);
  if (!cheapest) throw new Error("No notebook is in stock");
  agent.say(
    `${found.length} notebooks were found. The cheapest in stock is variant ${cheapest.id} for ${cheapest.price.amount}.`,
  );

  let checkout = await agent.use(agent.find("create_checkout"), {
    checkout: {
      line_items: [{ item: { id: cheapest.id }, quantity: 1 }],
      buyer: BUYER,
      fulfillment: { methods: [{ destinations: [BERLIN] }] },
    },
  });
  const options: { id: string; totals: { amount: number }[] }[] =
    checkout.fulfillment?.methods?.[0]?.groups?.[0]?.options ?? [];
  const [shipping] = options.toSorted((a, b) => (a.totals[0]?.amount ?? 0) - (b.totals[0]?.amount ?? 0));
  if (shipping) {
    agent.say(`The cheapest of ${options.length} ways to ship is ${shipping.id}.`);
    const chosen = { methods: [{ destinations: [BERLIN], groups: [{ selected_option_id: shipping.id }] }] };
    checkout = await agent.use(agent.find("update_checkout"), {
      id: checkout.id,
      checkout: { line_items: [{ item: { id: cheapest.id }, quantity: 1 }], fulfillment: chosen },
    });
  }

  const handlers: { id: string; config: { buyer_action: boolean } }[] = Object.values(
    checkout.ucp.payment_handlers,
  ).flat() as never;
  const handler = handlers.find(({ config }) => !config.buyer_action);
  if (!handler) throw new Error("A person has to pay");
  agent.say(`The status is ${checkout.status}. A person need not act for the payment handler ${handler.id}.`);
  const placed = await agent.use(agent.find("complete_checkout"), {
    meta: { "idempotency-key": crypto.randomUUID() },
    id: checkout.id,
    checkout: { payment: { instruments: [{ handler_id: handler.id, selected: true }] } },
  });
  if (placed.status !== "completed") throw new Error(`The checkout is ${placed.status}`);
  agent.say(`Done: the order is ${placed.order.label}.`);
}
