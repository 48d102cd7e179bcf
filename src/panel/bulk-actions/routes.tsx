import { type Context, Hono } from "hono";
import { bulkRunners } from "../../back-office/bulk-actions/runners.ts";
import {
  CustomerBulkUpdate,
  OrderBulkUpdate,
  OrdersSelection,
  ProductBulkUpdate,
} from "../../back-office/bulk-actions/schemas.ts";
import {
  bulkUpdateCustomers,
  bulkUpdateOrders,
  bulkUpdateProducts,
  chosenOrders,
} from "../../back-office/bulk-actions/start.ts";
import { requirePermission } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { once } from "../../platform/idempotency/once.ts";
import { begin } from "../../platform/jobs/begin.ts";
import type { JobWithUndo } from "../../platform/jobs/schemas.ts";
import { readChoices } from "../choices.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitForm } from "../forms/attempt.ts";
import { type Failed, type FormState, formFor, withErrorsAt } from "../forms/inputs.ts";
import type { Values } from "../forms/kinds.ts";
import type { SentForm } from "../forms/read-form.ts";
import { Button, Form } from "../kit/form.tsx";
import { Selected } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { MOST_PRINTED } from "../orders/print/routes.tsx";
import { type PanelEnv, page } from "../page.tsx";
import {
  ActionFields,
  customersActionInputs,
  customersActionKinds,
  ordersActionInputs,
  ordersActionKinds,
  productsActionInputs,
  productsActionKinds,
  selection,
} from "./forms.tsx";

export const bulkActions = new Hono<PanelEnv>()
  .post(
    "/products/bulk",
    administer("products:write"),
    submitForm(
      async (c, failed) => {
        const { categories } = await readChoices(c.var.db);
        const refused = withTagErrors(withErrorsAt("pieces", ["stock.delta", "stock.quantity"], failed));
        const form = formFor(refused, refused.action, { inputs: productsActionInputs(categories) });
        return refusedPage(c, form, "Products");
      },
      async (c, sent) => {
        const action = sent.read(ProductBulkUpdate, productsActionKinds(sent.values));
        const job = await once(c, action, (ctx) => bulkUpdateProducts(ctx, action));
        return shown(c, sent, await begin(c, bulkRunners, job), "/admin/products");
      },
    ),
  )
  .post(
    "/customers/bulk",
    administer("users:write"),
    submitForm(
      (c, failed) => {
        const form = formFor(withTagErrors(failed), failed.action, { inputs: customersActionInputs });
        return refusedPage(c, form, "Customers");
      },
      async (c, sent) => {
        const action = sent.read(CustomerBulkUpdate, customersActionKinds(sent.values));
        const job = await once(c, action, (ctx) => bulkUpdateCustomers(ctx, action));
        return shown(c, sent, await begin(c, bulkRunners, job), "/admin/customers");
      },
    ),
  )
  .post(
    "/orders/bulk",
    administer("shipments:write"),
    submitForm(
      (c, failed) => {
        const refused = withTagErrors(withErrorsAt("carrier", ["change.shipment.carrier"], failed));
        return refusedOrdersPage(c, refused);
      },
      async (c, sent) => {
        const { caller, db } = c.var;
        const [chosen] = sent.values.action ?? [];
        if (chosen === "packing-slips" || chosen === "pick-list") {
          const selected = sent.read(OrdersSelection, selection(sent.values));
          const ids = await chosenOrders(db, caller, selected, MOST_PRINTED);
          return c.redirect(`/admin/orders/${chosen}?ids=${ids.join(",")}`, 303);
        }
        requirePermission(caller, "orders:write");
        const action = sent.read(OrderBulkUpdate, ordersActionKinds(sent.values));
        if (sent.values.all && !sent.values.confirmed) return confirmPage(c, sent);
        const job = await once(c, action, (ctx) => bulkUpdateOrders(ctx, action));
        return shown(c, sent, await begin(c, bulkRunners, job), "/admin/orders");
      },
    ),
  );

const withTagErrors = (failed: Failed): Failed =>
  withErrorsAt("tags", ["change.add_tags", "change.remove_tags"], failed);

const nouns = { "/admin/products": "product", "/admin/customers": "customer", "/admin/orders": "order" };

/** Redirects to the list once the job is complete, otherwise to the job with its progress and failures. */
function shown(
  c: Context<PanelEnv>,
  { values }: SentForm,
  { id, state, done, failed }: JobWithUndo,
  list: keyof typeof nouns,
) {
  if (state !== "completed" || failed > 0) return c.redirect(`/admin/jobs/${id}`, 303);
  return redirectWithFlash(c, listOf(list, values), `Updated ${done} ${nouns[list]}${done === 1 ? "" : "s"}.`, id);
}

/** The list of the selection, with its filters and sort order. */
function listOf(path: string, { filters: [filters = ""] = [] }: Values): string {
  // Encoded again, because it becomes part of a header.
  const query = new URLSearchParams(filters).toString();
  return query ? `${path}?${query}` : path;
}

/** Asks for confirmation before a whole list of orders is changed: it cannot be undone, and buyers get e-mails. */
function confirmPage(c: Context<PanelEnv>, { action, values }: SentForm) {
  const message = "This changes every order in the list and cannot be undone. Apply it again to confirm.";
  const asked: Failed = { action, values: { ...values, confirmed: ["true"] }, errors: {}, message, tone: "warning" };
  return refusedOrdersPage(c, asked);
}

function refusedOrdersPage(c: Context<PanelEnv>, failed: Failed) {
  const form = formFor(failed, failed.action, { inputs: ordersActionInputs(c.var.caller) });
  return refusedPage(c, form, "Orders");
}

/** The refused form with its input. */
function refusedPage(c: Context<PanelEnv>, form: FormState<"ids">, name: string) {
  const list = listOf(form.action.replace("/bulk", ""), form.values);
  const title = `Selected ${name.toLowerCase()}`;
  return page(
    c,
    title,
    <>
      <PageHeader back={{ path: list, name }} />
      <div class="card narrow bulk">
        <Form form={form}>
          <Selected form={form} />
          <ActionFields form={form} />
          <Button>Apply</Button>
        </Form>
      </div>
    </>,
  );
}
