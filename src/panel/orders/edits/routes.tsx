import { type Context, Hono } from "hono";
import { requireOrder } from "../../../checkout/orders/edit.ts";
import { editPlacedOrder, quoteEdit } from "../../../checkout/orders/edits/edits.ts";
import { EditContent, type EditQuote, OrderEdit } from "../../../checkout/orders/edits/schemas.ts";
import { notifyOfEdit } from "../../../checkout/payments/notify-provider.ts";
import { ApiError } from "../../../domain/errors.ts";
import { IdParam } from "../../../domain/fields.ts";
import { accountScopeOf } from "../../../platform/auth/caller.ts";
import { administer } from "../../../platform/auth/gates.ts";
import { writeContextOf } from "../../../platform/auth/write-context.ts";
import { validate } from "../../../platform/http/validate.ts";
import { once } from "../../../platform/idempotency/once.ts";
import type { PanelEnv } from "../../env.ts";
import { redirectWithFlash } from "../../flash.ts";
import { submitRow } from "../../forms/attempt.ts";
import { number } from "../../forms/numbers.ts";
import type { SentForm } from "../../forms/read-form.ts";
import type { Failed } from "../../forms/state.ts";
import { chosenIn } from "../../pickers/resolve.ts";
import { calculated } from "../by-hand/inputs.ts";
import { editOrderPage } from "./edit-page.tsx";
import { editErrors, editInputsFor, editKinds } from "./inputs.ts";

export const orderEditPages = new Hono<PanelEnv>()
  .get("/orders/:id/edit", administer("orders:write"), validate("param", IdParam), (c) =>
    showEdit(c, c.req.valid("param").id, null),
  )
  .post("/orders/:id/edit", administer("orders:write"), submitRow(showEdit, reviewOrSave));

const orderOf = (c: Context<PanelEnv>, id: number) => requireOrder(c.var.db, id, accountScopeOf(c.var.caller));

/** The form of an order as it is, or as it was refused. An order that can no longer be edited is shown instead. */
async function showEdit(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  try {
    const { order, quote } = await quoteEdit(writeContextOf(c), { id, ifMatch: {} }, {});
    const refused = failed && { ...failed, errors: editErrors(failed.values, failed.errors) };
    return await editOrderPage(c, { order, failed: refused, quote, isReviewed: false });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "order_not_editable") throw error;
    return redirectWithFlash(c, `/admin/orders/${id}`, "The order can no longer be edited.");
  }
}

/** Saves an edit whose total was seen, or shows it. */
async function reviewOrSave(c: Context<PanelEnv>, id: number, typed: SentForm): Promise<Response> {
  const order = await orderOf(c, id);
  const sent = await chosenIn(c, typed, editInputsFor(order, {}, undefined));
  const { ifMatch, values } = sent;
  const { content, terms } = editKinds(order, values);
  const { do: [action] = [], expected_total: [expected] = [] } = values;
  if (action === "save" && expected !== undefined) {
    const edit = sent.read(OrderEdit, { ...content, ...terms, expected_total: number });
    const edited = await once(c, edit, (ctx) => editPlacedOrder(ctx, { id, ifMatch }, edit));
    notifyOfEdit(c, edited);
    const isChanged = edited.updatedAt !== order.updatedAt;
    return redirectWithFlash(c, `/admin/orders/${id}`, isChanged ? "The order was edited." : "Nothing was changed.");
  }
  const { quote } = await quoteEdit(writeContextOf(c), { id, ifMatch }, sent.read(EditContent, content));
  const { action: path } = sent;
  return editOrderPage(c, {
    order,
    failed: reviewed({ action: path, values }, quote),
    quote,
    isReviewed: quote.problems.length === 0,
  });
}

/** The form with what its quote says. */
function reviewed({ action, values }: Pick<SentForm, "action" | "values">, { problems }: EditQuote): Failed {
  const errors: Record<string, string[]> = {};
  for (const { field, message } of problems) errors[field] = [...(errors[field] ?? []), message];
  const isFine = problems.length === 0;
  const message = isFine ? "Check the new total. Nothing was saved yet." : "The order cannot be edited like this:";
  return { action, values: calculated(values), errors: editErrors(values, errors), message, tone: "warning" };
}
