import { type Context, Hono, type MiddlewareHandler } from "hono";
import { IdParam } from "../domain/fields.ts";
import { valid } from "../platform/http/validate.ts";
import { submitForm, submitRow } from "./forms/attempt.ts";
import type { Failed, FormInputs } from "./forms/inputs.ts";
import type { SentForm } from "./forms/read-form.ts";
import type { PanelEnv } from "./page.tsx";
import { resolvingPickers } from "./pickers/resolve.ts";

type PageResponse = Response | Promise<Response>;

type PageWithForm = (c: Context<PanelEnv>, failed: Failed | null) => PageResponse;

export type RowPage = (c: Context<PanelEnv>, id: number, failed: Failed | null) => PageResponse;

/** Actions of the forms on a record's page, by the rest of their path. They return the message for the page, or a response. */
export type RowForms = Record<string, (c: Context<PanelEnv>, id: number, sent: SentForm) => Promise<Response | string>>;

type RecordPages = {
  reads: MiddlewareHandler;
  writes: MiddlewareHandler;
  listPage?: PageWithForm;
  /** Filters of the list, in which names may be typed. */
  filters?: FormInputs<never>;
  /** The page with the form for a new record. Without it, the form is on the list's page. */
  newPage?: PageWithForm;
  create?: (c: Context<PanelEnv>, sent: SentForm) => Promise<Response>;
  rowPage: RowPage;
  forms: RowForms;
};

/** The pages of a kind of records, with their forms. A refused form shows on its page again. */
export function recordPages(
  path: string,
  { reads, writes, listPage, filters = {}, newPage, create, rowPage, forms }: RecordPages,
): Hono<PanelEnv> {
  const pages = new Hono<PanelEnv>();
  if (listPage) pages.get(path, reads, resolvingPickers(filters), (c) => listPage(c, null));
  if (newPage) pages.get(`${path}/new`, writes, (c) => newPage(c, null));
  const formPage = newPage ?? listPage;
  if (create && formPage) pages.post(path, writes, submitForm(formPage, create));
  pages.get(`${path}/:id`, reads, showRow(rowPage));
  return pages.route("/", rowForms(`${path}/:id`, writes, rowPage, forms));
}

/** The page of the record in the path. */
export const showRow = (rowPage: RowPage) => (c: Context<PanelEnv>) =>
  rowPage(c, valid(IdParam, c.req.param()).id, null);

/** The routes of forms on a record's page. */
export function rowForms(path: string, gate: MiddlewareHandler, rowPage: RowPage, forms: RowForms): Hono<PanelEnv> {
  const routes = new Hono<PanelEnv>();
  for (const [rest, act] of Object.entries(forms)) routes.post(path + rest, gate, submitRow(rowPage, act));
  return routes;
}
