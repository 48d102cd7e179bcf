import { type Context, Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { ApiKeyCreate, ApiKeysQuery, ApiKeyUpdate, Rotation } from "../../integrations/api-keys/admin-schemas.ts";
import {
  changeApiKey,
  createApiKey,
  listApiKeys,
  requireApiKey,
  revokeApiKey,
  rotateApiKey,
} from "../../integrations/api-keys/api-keys.ts";
import { lastHourOf } from "../../platform/auth/api-keys/home.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administrators } from "../../platform/auth/gates.ts";
import { validate } from "../../platform/http/validate.ts";
import { historyOfKey } from "../../platform/metrics/figures.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitForm, submitRow } from "../forms/attempt.ts";
import { type Failed, kindsOf } from "../forms/inputs.ts";
import { number } from "../forms/kinds.ts";
import { readFilters } from "../forms/read-form.ts";
import { type PanelEnv, page } from "../page.tsx";
import { ApiKeyPage, UsageChart } from "./edit-page.tsx";
import { ApiKeysPage, keyFilters } from "./list-page.tsx";
import { keyInputs, NewApiKeyPage, newKeyInputs, ShownOncePage } from "./new-page.tsx";

const API_KEYS_PATH = "/admin/api-keys";

export const apiKeyPages = new Hono<PanelEnv>()
  .get("/api-keys", administrators, async (c) => {
    const now = Date.now();
    const { query, form } = readFilters(c, ApiKeysQuery, keyFilters);
    const { rows, ...place } = await listApiKeys(c.var.db, query, now);
    return page(c, "API Manager", <ApiKeysPage rows={rows} place={place} form={form} url={c.req.url} now={now} />);
  })
  .get("/api-keys/new", administrators, (c) => newPage(c, null))
  .post(
    "/api-keys",
    administrators,
    submitForm(newPage, async (c, sent) => {
      const key = sent.read(ApiKeyCreate, kindsOf(newKeyInputs));
      const minted = await createApiKey(writeContextOf(c), key);
      return page(c, "API key created", <ShownOncePage title="API key created" minted={minted} url={c.req.url} />);
    }),
  )
  .get("/api-keys/:id", administrators, validate("param", IdParam), (c) => editPage(c, c.req.valid("param").id, null))
  .get("/api-keys/:id/usage", administrators, validate("param", IdParam), async (c) => {
    const key = await requireApiKey(c.var.db, c.req.valid("param").id);
    return c.html(<UsageChart usage={await lastHourOf(c.env, key.start)} now={Date.now()} />);
  })
  .post(
    "/api-keys/:id",
    administrators,
    submitRow(editPage, async (c, id, sent) => {
      const change = sent.readChange(ApiKeyUpdate, kindsOf(keyInputs));
      const { name } = await changeApiKey(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
      return redirectWithFlash(
        c,
        `${API_KEYS_PATH}/${id}`,
        `${name} was saved. The change applies to the next request.`,
      );
    }),
  )
  .post(
    "/api-keys/:id/rotate",
    administrators,
    submitRow(editPage, async (c, id, sent) => {
      const rotation = sent.read(Rotation, { grace_seconds: number });
      const minted = await rotateApiKey(writeContextOf(c), { id, ...rotation, ifMatch: sent.ifMatch });
      return page(c, "API key rotated", <ShownOncePage title="API key rotated" minted={minted} url={c.req.url} />);
    }),
  )
  .post(
    "/api-keys/:id/revoke",
    administrators,
    submitRow(editPage, async (c, id, sent) => {
      await revokeApiKey(writeContextOf(c), { id, ifMatch: sent.ifMatch });
      return redirectWithFlash(c, `${API_KEYS_PATH}/${id}`, "The API key was revoked. Requests with it are refused.");
    }),
  );

function newPage(c: Context<PanelEnv>, failed: Failed | null) {
  return page(
    c,
    "Create New API Key",
    <NewApiKeyPage failed={failed} isForStorefront={c.req.query("for") === "storefront"} />,
  );
}

async function editPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const key = await requireApiKey(c.var.db, id);
  const now = Date.now();
  const [usage, history] = await Promise.all([lastHourOf(c.env, key.start), historyOfKey(c.var.db, id, now)]);
  return page(c, key.name, <ApiKeyPage apiKey={key} usage={usage} history={history} failed={failed} now={now} />);
}
