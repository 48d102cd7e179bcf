import { type Context, Hono } from "hono";
import { IdParam } from "../domain/fields.ts";
import type { Resource } from "../platform/administration/resource.ts";
import { administer } from "../platform/auth/gates.ts";
import { writeContextOf } from "../platform/auth/write-context.ts";
import type { Versioned } from "../platform/db/precondition.ts";
import type { PageQuery } from "../platform/http/pagination.ts";
import { validate } from "../platform/http/validate.ts";
import type { PanelEnv } from "./env.ts";
import { redirectWithFlash } from "./flash.ts";
import { submit, submitRow } from "./forms/attempt.ts";
import type { FieldKind, Values } from "./forms/kinds.ts";
import type { SentForm } from "./forms/read-form.ts";
import type { Failed } from "./forms/state.ts";

type Answered = Response | Promise<Response>;

type Actions<Row> = {
  /** Converters of the form's fields. They may depend on the input. */
  kinds: Record<string, FieldKind> | ((values: Values) => Record<string, FieldKind>);
  /** Looks up names typed into pickers. */
  prepare?: (c: Context<PanelEnv>, sent: SentForm) => Promise<SentForm>;
  /** The page with the form for a new row. Without it, the resource has no creation here. */
  newPage?: (c: Context<PanelEnv>, failed: Failed | null) => Answered;
  rowPage: (c: Context<PanelEnv>, id: number, failed: Failed | null) => Answered;
  /** The page and message after a write. */
  after: (row: Row, done: "created" | "saved" | "deleted") => [path: string, message: string];
};

/** The routes of a row's page and of a resource's forms: create, save and delete. */
export function resourceActions<Row extends Versioned, New, Change, Query extends PageQuery>(
  resource: Omit<Resource<Row, New, Change, Query, unknown>, "toAnswer">,
  { kinds, prepare = async (_, sent) => sent, newPage, rowPage, after }: Actions<Row>,
) {
  const { path, permission, schemas } = resource;
  const kindsFor = ({ values }: SentForm) => (typeof kinds === "function" ? kinds(values) : kinds);
  const mayWrite = administer(`${permission}:write`);
  const actions = new Hono<PanelEnv>();
  if (newPage)
    actions.post(path, mayWrite, (c) =>
      submit(
        c,
        (failed) => newPage(c, failed),
        async (sent) => {
          const read = (await prepare(c, sent)).read(schemas.new, kindsFor(sent));
          const row = await resource.create(writeContextOf(c), read);
          return redirectWithFlash(c, ...after(row, "created"));
        },
      ),
    );
  return actions
    .get(`${path}/:id`, administer(`${permission}:read`), validate("param", IdParam), (c) =>
      rowPage(c, c.req.valid("param").id, null),
    )
    .post(
      `${path}/:id`,
      mayWrite,
      submitRow(rowPage, async (c, id, sent) => {
        const change = (await prepare(c, sent)).readChange(schemas.change, kindsFor(sent));
        const row = await resource.change(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
        return redirectWithFlash(c, ...after(row, "saved"));
      }),
    )
    .post(
      `${path}/:id/delete`,
      mayWrite,
      submitRow(rowPage, async (c, id, { ifMatch }) => {
        const row = await resource.remove(writeContextOf(c), { id, ifMatch });
        return redirectWithFlash(c, ...after(row, "deleted"));
      }),
    );
}
