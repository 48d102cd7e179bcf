import { writeFileSync } from "node:fs";
import { callEveryOperation } from "./openapi/examples/every-operation.ts";
import { beRefused } from "./openapi/examples/refusals.ts";
import { EXAMPLES } from "./openapi/examples/stored.ts";
import { newSecrets } from "./secrets.ts";

// `npm run openapi:examples` calls every operation of a new shop once and records the responses for the OpenAPI
// document. Run it when a response changes its shape or a route is added.

const recorded = await callEveryOperation(await newSecrets(), async (shop, { admin, key, order }) => {
  await beRefused(shop, admin, key, order);
  return () => shop.recorded;
});
writeFileSync(EXAMPLES, `${JSON.stringify(recorded, null, 1)}\n`);
