import type { UcpContext } from "./context.ts";
import { shopCapabilities } from "./negotiate.ts";
import { paymentHandlers } from "./payment.ts";

import { UCP_PATH, UCP_VERSION } from "./protocol.ts";

const SPEC = `https://ucp.dev/${UCP_VERSION}`;

/** Where an agent finds what the shop can do and how: `/.well-known/ucp`. */
export async function profileOf(ctx: Pick<UcpContext, "db" | "settings" | "origin">) {
  const spec = `${SPEC}/specification/overview`;
  const rest = { transport: "rest", schema: `${SPEC}/services/shopping/rest.openapi.json` };
  return {
    ucp: {
      version: UCP_VERSION,
      services: { "dev.ucp.shopping": [{ version: UCP_VERSION, spec, ...rest, endpoint: ctx.origin + UCP_PATH }] },
      capabilities: Object.fromEntries(Object.entries<readonly string[]>(shopCapabilities).map(declared)),
      payment_handlers: await paymentHandlers(ctx),
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
