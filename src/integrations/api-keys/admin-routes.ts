import { Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { lastHourOf } from "../../platform/auth/api-keys/home.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administrators } from "../../platform/auth/gates.ts";
import { created, list, noContent, ok } from "../../platform/http/envelope.ts";
import { answers, answersNothing, creates, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../platform/http/version.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { historyOfKey } from "../../platform/metrics/figures.ts";
import {
  ApiKey,
  ApiKeyCreate,
  ApiKeysQuery,
  ApiKeyUpdate,
  ApiKeyWithSecret,
  KeyRequests,
  KeyUsage,
  Rotation,
  toApiKey,
  toApiKeyWithSecret,
  toKeyRequests,
  toUsage,
} from "./admin-schemas.ts";
import { changeApiKey, createApiKey, listApiKeys, requireApiKey, revokeApiKey, rotateApiKey } from "./api-keys.ts";

export const apiKeysAdmin = new Hono<AppEnv>()
  .get(
    "/api-keys",
    administrators,
    validate("query", ApiKeysQuery),
    lists("listApiKeys", "List API keys", ApiKey),
    async (c) => {
      const [query, now] = [c.req.valid("query"), Date.now()];
      const page = await listApiKeys(c.var.db, query, now);
      return list(c, "API keys", page, (row) => toApiKey(row, now));
    },
  )
  .post(
    "/api-keys",
    administrators,
    idempotent,
    validate("json", ApiKeyCreate),
    creates("createApiKey", "Create an API key", ApiKeyWithSecret),
    async (c) => {
      const sent = c.req.valid("json");
      const minted = await once(c, sent, (ctx) => createApiKey(ctx, sent));
      const location = `/api/v1/admin/api-keys/${minted.id}` as const;
      return created(c, location, "API key created. Its value is shown only once", toApiKeyWithSecret(minted));
    },
  )
  .get(
    "/api-keys/:id",
    administrators,
    validate("param", IdParam),
    answers("getApiKey", "Get an API key", ApiKey, { headers: ["ETag"] }),
    async (c) => {
      const key = await requireApiKey(c.var.db, c.req.valid("param").id);
      return versioned(c, "API key", key, toApiKey(key, Date.now()));
    },
  )
  .put(
    "/api-keys/:id",
    administrators,
    validateAll({ param: IdParam, header: IfMatch, json: ApiKeyUpdate }),
    answers("updateApiKey", "Update an API key", ApiKey, { refuses: { 409: ["revoked"] }, headers: ["ETag"] }),
    async (c) => {
      const [{ id }, change, ifMatch] = [c.req.valid("param"), c.req.valid("json"), c.req.valid("header")];
      const key = await changeApiKey(writeContextOf(c), { id, change, ifMatch });
      return versioned(c, "API key updated", key, toApiKey(key, Date.now()));
    },
  )
  .delete(
    "/api-keys/:id",
    administrators,
    validateAll({ param: IdParam, header: IfMatch }),
    answersNothing("revokeApiKey", "Revoke an API key", { never: [409] }),
    async (c) => {
      await revokeApiKey(writeContextOf(c), { id: c.req.valid("param").id, ifMatch: c.req.valid("header") });
      return noContent(c);
    },
  )
  .post(
    "/api-keys/:id/rotate",
    administrators,
    idempotent,
    validateAll({ param: IdParam, header: IfMatch, json: Rotation }),
    answers("rotateApiKey", "Rotate an API key", ApiKeyWithSecret, {
      refuses: { 409: ["api_key_not_active", "revoked"] },
      headers: ["ETag"],
    }),
    async (c) => {
      const [{ id }, ifMatch, sent] = [c.req.valid("param"), c.req.valid("header"), c.req.valid("json")];
      const minted = await once(c, sent, (ctx) => rotateApiKey(ctx, { id, ...sent, ifMatch }));
      return versioned(c, "API key rotated. Its value is shown only once", minted, toApiKeyWithSecret(minted));
    },
  )
  .get(
    "/api-keys/:id/usage",
    administrators,
    validate("param", IdParam),
    answers("getApiKeyUsage", "Get the usage of an API key", KeyUsage),
    async (c) => {
      const key = await requireApiKey(c.var.db, c.req.valid("param").id);
      return ok(c, "Usage of the last hour", toUsage(key, await lastHourOf(c.env, key.start), Date.now()));
    },
  )
  .get(
    "/api-keys/:id/requests",
    administrators,
    validate("param", IdParam),
    answers("listApiKeyRequests", "List the requests of an API key", KeyRequests),
    async (c) => {
      const { id } = await requireApiKey(c.var.db, c.req.valid("param").id);
      const history = await historyOfKey(c.var.db, id, Date.now());
      return ok(c, "Requests of the last 90 days", toKeyRequests(history));
    },
  );
