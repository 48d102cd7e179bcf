import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { CREDENTIALS } from "./credentials.ts";
import { listen } from "./listen.ts";

// `npm run ucp:conformance -- 2026-04-08=<folder> 2026-08-25=<folder>` walks through all operations of the Universal
// Commerce Protocol, over REST and MCP, as an agent of each version, and validates every answer by the protocol's own
// schemas. A folder is `source` of https://github.com/Universal-Commerce-Protocol/ucp at the version's tag. The
// shop is the one started by `npm start`.

const { base_url }: { base_url: string } = JSON.parse(readFileSync(CREDENTIALS, "utf8"));

const folders = process.argv.slice(2).map((argument) => argument.split("=") as [version: string, folder: string]);

// biome-ignore lint/suspicious/noExplicitAny: answers differ by operation
type Answer = any;
type Send = (tool: string, id: string | undefined, body?: object) => Promise<{ status: number; answer: Answer }>;

const names = ["catalog.search", "catalog.lookup", "cart", "checkout", "order"];
const extensions = ["fulfillment", "discount", "buyer_consent"];

const profiles = await listen(({ url }, response) => {
  const version = url?.slice(1);
  const capabilities = [...names, ...extensions].map((name) => [`dev.ucp.shopping.${name}`, [{ version }]]);
  const profile = { ucp: { version, capabilities: Object.fromEntries(capabilities) } };
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(profile));
}, "localhost");
const agentOf = (version: string) => `${profiles.url}/${version}`;

function validatorOf(folder: string) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  formats.default(ajv);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^(schemas|discovery)\/.*\.json$/.test(name),
  );
  // The id of the profile's schema in 2026-04-08 does not fit its own references.
  const read = (file: string) =>
    JSON.parse(readFileSync(join(folder, file), "utf8").replace("/schemas/discovery/", "/discovery/"));
  for (const file of files) ajv.addSchema(read(file));
  const idOf = (name: string): string => read(name).$id;
  const error = files.find((name) => name.endsWith("error_response.json")) ?? "";
  return (schema: string, answer: Answer): string | null => {
    const [file = "", pointer = ""] = (answer.ucp?.status === "error" ? error : schema).split("#");
    const validate = ajv.getSchema(`${idOf(file)}#${pointer}`);
    if (!validate) return `there is no schema ${schema}`;
    return validate(answer) ? null : ajv.errorsText(validate.errors);
  };
}

/** Schemas of an answer: the one of its operation, and those of extensions, which only some versions have. */
const schemasOf = (tool: string, version: string): string[] => {
  const isNew = version > "2026-04-08";
  const catalog = (operation: string) => [
    `schemas/shopping/catalog_${operation === "search" ? "search" : "lookup"}.json#/$defs/${operation}_response`,
    ...(isNew ? [`schemas/shopping/fulfillment.json#/$defs/fulfillment_${operation}_response`] : []),
  ];
  const extended = (root: string, by: string[]) => [
    `schemas/shopping/${root}.json`,
    ...by.map((name) => `schemas/shopping/${name}.json#/$defs/dev.ucp.shopping.${root}`),
  ];
  if (tool === "search_catalog") return catalog("search");
  if (tool === "lookup_catalog") return catalog("lookup");
  if (tool === "get_product") return catalog("get_product");
  if (tool === "get_order") return ["schemas/shopping/order.json"];
  if (tool.endsWith("_cart")) return extended("cart", isNew ? ["discount", "buyer_consent"] : ["discount"]);
  return extended("checkout", extensions);
};

const paths: Record<string, [method: string, path: string]> = {
  search_catalog: ["POST", "/catalog/search"],
  lookup_catalog: ["POST", "/catalog/lookup"],
  get_product: ["POST", "/catalog/product"],
  create_cart: ["POST", "/carts"],
  get_cart: ["GET", "/carts/ID"],
  update_cart: ["PUT", "/carts/ID"],
  cancel_cart: ["POST", "/carts/ID/cancel"],
  create_checkout: ["POST", "/checkout-sessions"],
  get_checkout: ["GET", "/checkout-sessions/ID"],
  update_checkout: ["PUT", "/checkout-sessions/ID"],
  complete_checkout: ["POST", "/checkout-sessions/ID/complete"],
  cancel_checkout: ["POST", "/checkout-sessions/ID/cancel"],
  get_order: ["GET", "/orders/ID"],
};

/** Each request has its own address, because the walks together exceed the limit of one. */
let clients = 0;
const headersOf = () => ({
  "Content-Type": "application/json",
  "CF-Connecting-IP": `2001:db8:${(++clients).toString(16)}::1`,
});

const overRest =
  (version: string): Send =>
  async (tool, id = "", body) => {
    const [method = "GET", path = ""] = paths[tool] ?? [];
    const response = await fetch(`${base_url}/ucp/v1${path.replace("ID", id)}`, {
      method,
      headers: { ...headersOf(), "UCP-Agent": `profile="${agentOf(version)}"` },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, answer: await response.json() };
  };

const overMcp =
  (version: string): Send =>
  async (tool, id, body) => {
    const noun = /catalog|product/.test(tool) ? "catalog" : tool.endsWith("_cart") ? "cart" : "checkout";
    const meta = { "ucp-agent": { profile: agentOf(version) } };
    const params = { name: tool, arguments: { meta, ...(id && { id }), ...(body && { [noun]: body }) } };
    const response = await fetch(`${base_url}/mcp`, {
      method: "POST",
      headers: headersOf(),
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    const { result, error } = (await response.json()) as Answer;
    return { status: response.status, answer: result?.structuredContent ?? error?.data };
  };

const addressIn = (address_country: string, place: object) => ({
  street_address: "12 Station Road",
  address_country,
  ...place,
});

/** The walk ships to the first of these that the shop ships to. */
const addresses = [
  addressIn("GB", { address_locality: "London", postal_code: "SW1Y 4JH" }),
  addressIn("CA", { address_locality: "Ottawa", address_region: "ON", postal_code: "K1P 5M7" }),
  addressIn("US", { address_locality: "Austin", address_region: "TX", postal_code: "78701" }),
  addressIn("DE", { address_locality: "Berlin", postal_code: "10115" }),
];

/** Calls every operation, with answers of each kind: results, warnings, problems and unknown ids. */
async function walk(version: string, send: Send): Promise<void> {
  const isNew = version > "2026-04-08";
  const consent = isNew
    ? { "dev.ucp.consent.marketing": { granted: false, source: "platform" } }
    : { marketing: false, analytics: true };
  const buyer = { email: "ada@demo.example", first_name: "Ada", last_name: "Lovelace", consent };
  const { answer: found } = await send("search_catalog", undefined, { query: "notebook" });
  await send("search_catalog", undefined, {
    filters: { categories: ["a", "b"], price: { min: 1 } },
    pagination: { limit: 3 },
  });
  await send("search_catalog", undefined, { query: "nothing has this name" });
  await send("search_catalog", undefined, {});
  const variants: Answer[] = found.products.flatMap((product: Answer) => product.variants);
  const item = { id: variants.find(({ availability }) => availability.available).id };
  const product = found.products.find(({ options }: Answer) => options) ?? found.products[0];
  await send("lookup_catalog", undefined, { ids: [item.id, product.id, "unknown"] });
  await send("get_product", undefined, { id: product.id });
  const selected = (product.options ?? []).map(({ name, values }: Answer) => ({ name, label: values[0].label }));
  await send("get_product", undefined, { id: product.id, selected });
  await send("get_product", undefined, { id: "unknown" });
  const line_items = [{ item, quantity: 2 }];
  const { answer: cart } = await send("create_cart", undefined, {
    line_items,
    buyer,
    context: { address_country: "GB" },
    discounts: { codes: ["NOPE"] },
  });
  await send("get_cart", cart.id);
  await send("update_cart", cart.id, { line_items: [{ item, quantity: 1 }] });
  await send("create_cart", undefined, { line_items: [{ item: { id: "unknown" }, quantity: 1 }] });
  await send("create_cart", undefined, { line_items: [] });
  await send("get_cart", "unknown");
  const { answer: session } = await send("create_checkout", undefined, { cart_id: cart.id, line_items: [] });
  const line_item_ids = session.line_items.map(({ id }: Answer) => id);
  const method = { id: "shipping", type: "shipping", line_item_ids };
  await send("update_checkout", session.id, { line_items, discounts: { codes: ["NOPE"] } });
  const shipTo = async (address: object) => {
    const fulfillment = { methods: [{ ...method, destinations: [address] }] };
    const { answer } = await send("update_checkout", session.id, { line_items, buyer, fulfillment });
    return [fulfillment, answer.fulfillment.methods[0]];
  };
  // An incomplete address, to which a shop may ship too.
  await shipTo({ address_country: "AQ" });
  let [fulfillment, shipping]: Answer[] = [];
  for (const address of addresses) if (!shipping?.groups) [fulfillment, shipping] = await shipTo(address);
  if (!shipping.groups)
    throw new Error(`The shop ships to none of ${JSON.stringify(addresses)}. Create a shipping zone`);
  const [group] = shipping.groups;
  const groups = [{ id: group.id, selected_option_id: group.options.at(-1).id }];
  const { selected_destination_id } = shipping;
  const chosen = { methods: [{ ...method, selected_destination_id, groups }] };
  await send("update_checkout", session.id, { line_items, buyer, fulfillment: chosen });
  const elsewhere = { methods: [{ ...method, selected_destination_id: "unknown" }] };
  await send("update_checkout", session.id, { line_items, fulfillment: elsewhere });
  await send("get_checkout", session.id);
  const pay = (token: string, handler_id = "test_card") => ({
    payment: {
      instruments: [{ id: "i", handler_id, type: "card", selected: true, credential: { type: "token", token } }],
    },
  });
  await send("complete_checkout", session.id, { payment: { instruments: [] } });
  await send("complete_checkout", session.id, pay("fail"));
  await send("complete_checkout", session.id, pay("", "bank_transfer"));
  const { answer: done } = await send("complete_checkout", session.id, pay("succeed"));
  await send("get_checkout", session.id);
  await send("update_checkout", session.id, { line_items });
  await send("get_order", done.order.id);
  await send("get_order", "unknown");
  const { answer: other } = await send("create_checkout", undefined, { line_items, buyer, fulfillment });
  await send("cancel_checkout", other.id);
  await send("cancel_checkout", other.id);
  await send("get_checkout", "unknown");
  await send("create_checkout", undefined, {
    line_items: [
      { item, quantity: 99_999 },
      { item: { id: "no" }, quantity: 1 },
    ],
  });
  await send("create_checkout", undefined, { line_items: [{ item, quantity: 0 }] });
  const { answer: second } = await send("create_cart", undefined, { line_items });
  await send("cancel_cart", second.id);
}

for (const [version, folder] of folders) {
  const problemOf = validatorOf(folder);
  let [answers, invalid] = [0, 0];
  const check = (what: string, schemas: string[], answer: Answer) => {
    answers++;
    const problems = schemas.map((schema) => problemOf(schema, answer)).filter((problem) => problem !== null);
    const isOther = answer.ucp.version !== version;
    if (problems.length === 0 && !isOther) return;
    invalid++;
    console.log(`INVALID  ${version}  ${what}: ${isOther ? `version ${answer.ucp.version}` : problems.join("; ")}`);
  };
  for (const [transport, send] of Object.entries({ REST: overRest(version), MCP: overMcp(version) })) {
    await walk(version, async (tool, id, body) => {
      const sent = await send(tool, id, body);
      // Refusals of the protocol itself have a code instead of the head that schemas describe.
      if (sent.answer.ucp) check(`${transport} ${tool}`, schemasOf(tool, version), sent.answer);
      else if (sent.status < 400 && !sent.answer.code) throw new Error(`${tool}: ${JSON.stringify(sent.answer)}`);
      return sent;
    });
  }
  const root = (await (await fetch(`${base_url}/.well-known/ucp`)).json()) as Answer;
  const older = root.ucp.supported_versions[version];
  const profile = older ? ((await (await fetch(older)).json()) as Answer) : root;
  const schema =
    version > "2026-04-08"
      ? "schemas/profile.json#/$defs/business_schema"
      : "discovery/profile_schema.json#/$defs/business_profile";
  check("profile", [schema], profile);
  console.log(`${version}: ${answers} answers, ${invalid} invalid`);
  if (invalid > 0) process.exitCode = 1;
}
profiles.close();
