import { IdParam } from "../../domain/fields.ts";
import { ApiKeyCreate, ApiKeyUpdate, Rotation } from "../../integrations/api-keys/admin-schemas.ts";
import {
  changeApiKey,
  createApiKey,
  requireApiKey,
  revokeApiKey,
  rotateApiKey,
} from "../../integrations/api-keys/api-keys.ts";
import { lastHourOf } from "../../platform/auth/api-keys/home.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administrators } from "../../platform/auth/gates.ts";
import { validate } from "../../platform/http/validate.ts";
import { kindsOf } from "../forms/conversion.ts";
import { number } from "../forms/kinds.ts";
import { page } from "../page.tsx";
import { recordPages } from "../record-pages.ts";
import { apiKeyPage } from "./edit-page.tsx";
import { apiKeysPage } from "./list-page.tsx";
import { keyInputs, newApiKeyPage, newKeyInputs, ShownOncePage } from "./new-page.tsx";
import { UsageChart } from "./usage.tsx";

export const apiKeyPages = recordPages("/api-keys", {
  reads: administrators,
  writes: administrators,
  listPage: apiKeysPage,
  newPage: newApiKeyPage,
  rowPage: apiKeyPage,
  create: async (c, sent) => {
    const minted = await createApiKey(writeContextOf(c), sent.read(ApiKeyCreate, kindsOf(newKeyInputs)));
    return page(c, "API key created", <ShownOncePage minted={minted} url={c.req.url} />);
  },
  forms: {
    "": async (c, id, sent) => {
      const change = sent.readChange(ApiKeyUpdate, kindsOf(keyInputs));
      const { name } = await changeApiKey(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
      return `${name} was saved. The change applies to the next request.`;
    },
    "/rotate": async (c, id, sent) => {
      const rotation = sent.read(Rotation, { grace_seconds: number });
      const minted = await rotateApiKey(writeContextOf(c), { id, ...rotation, ifMatch: sent.ifMatch });
      return page(c, "API key rotated", <ShownOncePage minted={minted} url={c.req.url} />);
    },
    "/revoke": async (c, id, { ifMatch }) => {
      await revokeApiKey(writeContextOf(c), { id, ifMatch });
      return "The API key was revoked. Requests with it are refused.";
    },
  },
}).get("/api-keys/:id/usage", administrators, validate("param", IdParam), async (c) => {
  const key = await requireApiKey(c.var.db, c.req.valid("param").id);
  return c.html(<UsageChart usage={await lastHourOf(c.env, key.start)} now={Date.now()} />);
});
