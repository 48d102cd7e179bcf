import { Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { writeContextOf } from "../auth/caller.ts";
import { type AppEnv, administer } from "../auth/gates.ts";
import { readAll } from "../auth/roles.ts";
import type { VersionedRow } from "../db/statements.ts";
import { created, list, noContent } from "../http/envelope.ts";
import type { PageQuery } from "../http/pagination.ts";
import { answers, answersNothing, creates, lists } from "../http/route-description.ts";
import { validate, validateAll } from "../http/validate.ts";
import { IfMatch, versioned } from "../http/version.ts";
import { idempotent, once } from "../idempotency/once.ts";
import { capitalized, pascalCase, type Resource } from "./resource.ts";

/** The five administrator's routes of a resource. */
export function resourceRoutes<Row extends VersionedRow, New, Change, Query extends PageQuery, Answer>(
  resource: Resource<Row, New, Change, Query, Answer>,
) {
  const { path, permission, schemas, toAnswer, inUse, refuses } = resource;
  const { one, many, shared, deleted = one } = resource.names;
  const name = capitalized(one);
  return new Hono<AppEnv>()
    .get(
      path,
      administer(readAll(permission)),
      validate("query", schemas.query),
      lists(
        `${shared ? "adminList" : "list"}${pascalCase(many)}`,
        `List ${shared ? "all " : ""}${many}`,
        schemas.answer,
      ),
      async (c) => {
        const now = Date.now();
        const page = await resource.list(c.var.db, c.req.valid("query"), now);
        return list(c, capitalized(many), page, (row) => toAnswer(row, now));
      },
    )
    .post(
      path,
      administer(`${permission}:write`),
      idempotent,
      validate("json", schemas.new),
      creates(`create${pascalCase(one)}`, `Create a ${one}`, schemas.answer, { refuses: { 400: refuses } }),
      async (c) => {
        const sent = c.req.valid("json");
        const row = await once(c, sent, (ctx) => resource.create(ctx, sent));
        return created(c, `/api/v1/admin${path}/${row.id}`, `${name} created`, toAnswer(row, row.updatedAt));
      },
    )
    .get(
      `${path}/:id`,
      administer(readAll(permission)),
      validate("param", IdParam),
      answers(`get${pascalCase(one)}`, `Get a ${one}`, schemas.answer, { headers: ["ETag"] }),
      async (c) => {
        const row = await resource.require(c.var.db, c.req.valid("param").id);
        return versioned(c, name, row, toAnswer(row, Date.now()));
      },
    )
    .put(
      `${path}/:id`,
      administer(`${permission}:write`),
      validateAll({ param: IdParam, header: IfMatch, json: schemas.change }),
      answers(`update${pascalCase(one)}`, `Update a ${one}`, schemas.answer, {
        headers: ["ETag"],
        refuses: { 400: refuses },
      }),
      async (c) => {
        const [{ id }, change, ifMatch] = [c.req.valid("param"), c.req.valid("json"), c.req.valid("header")];
        const row = await resource.change(writeContextOf(c), { id, change, ifMatch });
        return versioned(c, `${name} updated`, row, toAnswer(row, Date.now()));
      },
    )
    .delete(
      `${path}/:id`,
      administer(`${permission}:write`),
      validateAll({ param: IdParam, header: IfMatch }),
      answersNothing(`delete${pascalCase(one)}`, `Delete a ${deleted}`, {
        description: `Deletes a ${deleted}, which cannot be undone.`,
        ...(inUse && { refuses: { 409: ["in_use"] as const } }),
      }),
      async (c) => {
        await resource.remove(writeContextOf(c), { id: c.req.valid("param").id, ifMatch: c.req.valid("header") });
        return noContent(c);
      },
    );
}
