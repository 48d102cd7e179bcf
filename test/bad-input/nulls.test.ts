import { beforeEach, describe, expect, it } from "vitest";
import { adminEndpoints } from "../admin/endpoints/index.ts";
import { anAdmin } from "../support/administration.ts";
import { bodyRoutes, opened } from "../support/body-routes.ts";
import { call } from "../support/call.ts";
import { bodySchemaOf, withNulls } from "../support/documented-nulls.ts";
import { noRules } from "../support/pricing.ts";

const creations = Object.keys(adminEndpoints).filter(
  (line) => line.startsWith("POST ") && bodySchemaOf("admin", line).$ref !== undefined,
);

describe("null counts as a missing field", () => {
  beforeEach(noRules);

  it.each(creations)("in every optional field of %s", async (line) => {
    const { token, id } = await anAdmin();
    const endpoint = adminEndpoints[line] ?? expect.unreachable();
    const { path, body, headers = {} } = await endpoint.request(id);
    const sent = withNulls(bodySchemaOf("admin", line), body);
    const answer = await call(`POST /admin${path}`, { as: token, body: sent, headers });
    expect([answer.status, answer.body?.details]).toEqual([endpoint.status, undefined]);
  });

  it.each(Object.keys(bodyRoutes).filter((route) => /^POST [\w/-]+$/.test(route)))(
    "in every optional field of %s",
    async (route) => {
      const { line, as, body } = await opened(route);
      const sent = withNulls(bodySchemaOf("user", route), body);
      const answer = await call(line, { as, body: sent });
      expect([answer.status < 300, answer.body?.details]).toEqual([true, undefined]);
    },
  );
});
