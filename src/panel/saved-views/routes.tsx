import { type Context, Hono } from "hono";
import {
  readViewsOf,
  removeSavedView,
  requireSavedView,
  SavedViewCreate,
  type SavedViewRow,
  saveView,
} from "../../back-office/saved-views/saved-views.ts";
import { IdParam } from "../../domain/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { staff } from "../../platform/auth/gates.ts";
import type { ViewedList } from "../../platform/db/schema.ts";
import { validate } from "../../platform/http/validate.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitForm } from "../forms/attempt.ts";
import type { Failed } from "../forms/inputs.ts";
import { type FieldKind, text } from "../forms/kinds.ts";
import { SaveView, type Views } from "../kit/filters.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { type PanelEnv, page } from "../page.tsx";

/** The panel's page of each list. */
const pathOf: Record<ViewedList, string> = {
  orders: "/admin/orders",
  products: "/admin/products",
  users: "/admin/customers",
  files: "/admin/files",
};

const addressOf = ({ list, filters }: SavedViewRow): string => `${pathOf[list]}?${new URLSearchParams(filters)}`;

const filters: FieldKind = ([query = ""]) => Object.fromEntries(new URLSearchParams(query));

export const savedViewPages = new Hono<PanelEnv>()
  .post(
    "/saved-views",
    staff,
    submitForm(refusedPage, async (c, sent) => {
      const read = sent.read(SavedViewCreate, { list: text, name: text, filters });
      const view = await saveView(writeContextOf(c), read);
      return redirectWithFlash(c, addressOf(view), `${view.name} was saved.`);
    }),
  )
  .get("/saved-views/:id", staff, validate("param", IdParam), async (c) =>
    c.redirect(addressOf(await requireSavedView(c.var.db, c.var.caller, c.req.valid("param").id)), 303),
  )
  .post("/saved-views/:id/delete", staff, validate("param", IdParam), async (c) => {
    const { caller, db } = c.var;
    const view = await requireSavedView(db, caller, c.req.valid("param").id);
    await removeSavedView(writeContextOf(c), { id: view.id, ifMatch: {} });
    return redirectWithFlash(c, pathOf[view.list], `${view.name} was deleted.`);
  });

/** Asks for the name again. */
function refusedPage(c: Context<PanelEnv>, failed: Failed) {
  return page(
    c,
    "Save view",
    <>
      <PageHeader />
      <div class="card narrow">
        <SaveView list={failed.values.list?.[0] ?? ""} filters={failed.values.filters?.[0] ?? ""} failed={failed} />
      </div>
    </>,
  );
}

/** The signed-in user's views of a list. */
export async function viewsOf(c: Context<PanelEnv>, list: ViewedList): Promise<Views> {
  return { list, saved: await readViewsOf(c.var.db, c.var.caller.id, list) };
}
