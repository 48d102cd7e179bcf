import { type Context, Hono } from "hono";
import { placeByHand, quoteByHand } from "../../../checkout/orders/by-hand/place.ts";
import { StaffOrder } from "../../../checkout/orders/by-hand/schemas.ts";
import { administer } from "../../../platform/auth/gates.ts";
import { writeContextOf } from "../../../platform/auth/write-context.ts";
import { once } from "../../../platform/idempotency/once.ts";
import type { PanelEnv } from "../../env.ts";
import { redirectWithFlash } from "../../flash.ts";
import { submit } from "../../forms/attempt.ts";
import type { SentForm } from "../../forms/read-form.ts";
import type { Failed } from "../../forms/state.ts";
import { chosenIn } from "../../pickers/resolve.ts";
import { newOrderPage } from "./form-page.tsx";
import { calculated, inputsFor, NO_CHOICES, orderKinds, rowErrors } from "./inputs.ts";

export const ordersByHand = new Hono<PanelEnv>()
  .get("/orders/new", administer("orders:write"), (c) => newOrderPage(c, { failed: null }))
  .post("/orders/new", administer("orders:write"), (c) =>
    submit(
      c,
      (failed) => newOrderPage(c, { failed: inRows(failed) }),
      (sent) => placeOrUpdate(c, sent),
    ),
  );

async function placeOrUpdate(c: Context<PanelEnv>, typed: SentForm): Promise<Response> {
  const sent = await chosenIn(c, typed, inputsFor([], NO_CHOICES));
  const order = sent.read(StaffOrder, orderKinds(sent.values));
  if (sent.values.do?.[0] !== "place") return updatedPage(c, sent, order);
  const placed = await once(c, order, (ctx) => placeByHand(ctx, order));
  return redirectWithFlash(c, `/admin/orders/${placed.id}`, "The order was placed.");
}

/** The form with the order's total and everything that would refuse it. */
async function updatedPage(c: Context<PanelEnv>, { action, values }: SentForm, order: StaffOrder) {
  const quote = await quoteByHand(writeContextOf(c), order);
  const errors: Record<string, string[]> = {};
  for (const { field, message } of quote.problems) errors[field] = [...(errors[field] ?? []), message];
  const isFine = quote.problems.length === 0;
  const message = isFine ? "The total is up to date. Nothing was placed yet." : "This order cannot be placed yet:";
  const failed = inRows({ action, values, errors, message, tone: "warning" });
  return newOrderPage(c, { failed: { ...failed, values: calculated(values) }, quote });
}

const inRows = (failed: Failed): Failed => ({ ...failed, errors: rowErrors(failed.values, failed.errors) });
