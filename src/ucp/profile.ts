import { paymentOptions, readPaymentSettings } from "../checkout/payments/settings.ts";
import type { UcpContext } from "./context.ts";
import { paymentHandlers } from "./payment.ts";
import { shopCapabilities, UCP_MCP_PATH, UCP_PATH, UCP_VERSION } from "./protocol.ts";

const SPEC = `https://ucp.dev/${UCP_VERSION}`;

/** The document in which an agent finds the shop's capabilities: `/.well-known/ucp`. */
export async function profileOf(ctx: Pick<UcpContext, "db" | "settings" | "origin">) {
  const { methods } = await readPaymentSettings(ctx.db);
  const spec = `${SPEC}/specification/overview`;
  const service = (transport: string, schema: string, path: string) => ({
    version: UCP_VERSION,
    spec,
    transport,
    schema: `${SPEC}/services/shopping/${schema}`,
    endpoint: ctx.origin + path,
  });
  return {
    ucp: {
      version: UCP_VERSION,
      services: {
        "dev.ucp.shopping": [
          service("rest", "rest.openapi.json", UCP_PATH),
          service("mcp", "mcp.openrpc.json", UCP_MCP_PATH),
        ],
      },
      capabilities: Object.fromEntries(Object.entries<readonly string[]>(shopCapabilities).map(declared)),
      payment_handlers: paymentHandlers(paymentOptions(methods, ctx.settings), ctx.origin),
    },
    signing_keys: ctx.settings.signingKeys.published,
  };
}

function declared([name, parents]: [string, readonly string[]]) {
  const path = name.replace(/^dev\.ucp\.shopping\./, "");
  const [parent, ...others] = parents;
  const entry = {
    version: UCP_VERSION,
    spec: `${SPEC}/specification/${path.replaceAll(/[._]/g, (mark) => (mark === "." ? "/" : "-"))}`,
    schema: `${SPEC}/schemas/shopping/${path.replaceAll(".", "_")}.json`,
    ...(parent !== undefined && { extends: others.length > 0 ? parents : parent }),
  };
  return [name, [entry]];
}
