import * as z from "zod";
import { Text } from "../../domain/fields.ts";
import { getProduct, lookupCatalog, searchCatalog } from "../../ucp/catalog.ts";
import type { UcpContext } from "../../ucp/context.ts";
import type { RootCapability } from "../../ucp/negotiate.ts";
import { GetProduct, LookupCatalog, SearchCatalog } from "../../ucp/requests.ts";

// The MCP binding of the Universal Commerce Protocol: an operation is a tool, whose arguments are the id of what it is about,
// the payload by its noun, and `meta` with what REST has in headers.

/** An operation of the protocol as a tool. */
export type ShoppingTool = {
  name: string;
  title: string;
  description: string;
  capability: RootCapability;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean };
  /** Arguments beside `meta`. */
  takes: z.ZodObject;
  run: (ctx: UcpContext, given: never) => Promise<object>;
};

const Meta = z.object({
  "ucp-agent": z
    .object({ profile: Text.max(500).describe("Address of the profile that your platform publishes") })
    .optional(),
  "idempotency-key": Text.max(255).optional().describe("A UUID. Repeat it when you repeat the request"),
});

/** Arguments of every tool. */
export const Asking = z.object({
  meta: Meta.optional().describe("Who asks. Not needed if the client sends the header UCP-Agent"),
});

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

/** Declares a tool whose function takes what its arguments are parsed into. */
const tool = <Taken extends z.ZodObject>(
  line: ShoppingTool & { takes: Taken; run: (ctx: UcpContext, given: z.output<Taken>) => Promise<object> },
): ShoppingTool => line;

export const shoppingTools: readonly ShoppingTool[] = [
  tool({
    name: "search_catalog",
    title: "Search the catalogue",
    description:
      "Finds products by words of their name or text, category and price, newest first, 10 at a time. Amounts are in minor units of the currency: 1250 is 12.50. A product is bought by the id of one of its variants.",
    capability: "catalog.search",
    annotations: READS,
    takes: z.object({ catalog: SearchCatalog }),
    run: (ctx, { catalog }) => searchCatalog(ctx, catalog),
  }),
  tool({
    name: "lookup_catalog",
    title: "Look up products",
    description: "Returns products by the ids of products or variants, at most 50.",
    capability: "catalog.lookup",
    annotations: READS,
    takes: z.object({ catalog: LookupCatalog }),
    run: (ctx, { catalog }) => lookupCatalog(ctx, catalog),
  }),
  tool({
    name: "get_product",
    title: "Get a product",
    description: "Returns a product with its variants, and which of its option values are available together.",
    capability: "catalog.lookup",
    annotations: READS,
    takes: z.object({ catalog: GetProduct }),
    run: (ctx, { catalog }) => getProduct(ctx, catalog),
  }),
];
