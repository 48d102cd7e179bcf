import { type Context, Hono } from "hono";
import { editPlacedOrder, quoteEdit } from "../../../checkout/orders/edits/edits.ts";
import {
  EditContent,
  type EditQuote,
  OrderEditCreate,
  type Settlement,
} from "../../../checkout/orders/edits/schemas.ts";
import type { OrderRow } from "../../../checkout/orders/schemas.ts";
import { requireOrder } from "../../../checkout/orders/update.ts";
import { notifyOfEdit } from "../../../checkout/payments/notify-provider.ts";
import { ApiError } from "../../../domain/errors.ts";
import { toMinor } from "../../../domain/money.ts";
import { describeValues } from "../../../domain/option-values.ts";
import { accountScopeOf, writeContextOf } from "../../../platform/auth/caller.ts";
import { administer } from "../../../platform/auth/gates.ts";
import { etagOf } from "../../../platform/http/version.ts";
import { once } from "../../../platform/idempotency/once.ts";
import { redirectWithFlash } from "../../flash.ts";
import { submitRow } from "../../forms/attempt.ts";
import { type Failed, type FormState, formFor } from "../../forms/inputs.ts";
import { number, valuesFrom } from "../../forms/kinds.ts";
import { type SentForm, sentForm } from "../../forms/read-form.ts";
import { Field } from "../../kit/fields.tsx";
import { Button, Form, LinkButton } from "../../kit/form.tsx";
import { Card, PageHeader } from "../../kit/page-parts.tsx";
import { pricedOf, Totals } from "../../kit/totals.tsx";
import { MoneyAmount } from "../../kit/values.tsx";
import { type PanelEnv, page } from "../../page.tsx";
import { chosenIn, withPicks } from "../../pickers/resolve.ts";
import { showRow } from "../../record-pages.ts";
import { calculated, withoutRemoved } from "../by-hand/inputs.ts";
import { errorsIn, LineFields, OrderFrame } from "../form-sections.tsx";
import { type EditField, editErrors, editInputsFor, editKinds, editValues, hasAddress, rowOf } from "./inputs.ts";

export const orderEditPages = new Hono<PanelEnv>()
  .get("/orders/:id/edit", administer("orders:write"), showRow(showEdit))
  .post("/orders/:id/edit", administer("orders:write"), submitRow(showEdit, reviewOrSave));

const orderOf = (c: Context<PanelEnv>, id: number) => requireOrder(c.var.db, id, accountScopeOf(c.var.caller));

/** The form of an order as it is, or as it was refused. An order that can no longer be edited is shown instead. */
async function showEdit(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  try {
    const { order, quote } = await quoteEdit(writeContextOf(c), { id, ifMatch: {} }, {});
    if (!failed) return await editOrderPage(c, { order, failed, quote, isReviewed: false });
    const refused = { ...failed, errors: editErrors(failed.values, failed.errors) };
    const edited = await quoteRefused(c, order, failed);
    return await editOrderPage(c, { order, failed: refused, quote: edited ?? quote, isReviewed: edited !== null });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "order_not_editable") throw error;
    return redirectWithFlash(c, `/admin/orders/${id}`, "The order can no longer be edited.");
  }
}

/** The total of a refused edit, with the fields that depend on it. Null if the edit cannot be made. */
async function quoteRefused(c: Context<PanelEnv>, order: OrderRow, { action, values }: Failed) {
  const { ifMatch, read } = sentForm(action, values);
  try {
    const content = read(EditContent, editKinds(order, values).content);
    const { quote } = await quoteEdit(writeContextOf(c), { id: order.id, ifMatch }, content);
    return quote.problems.length === 0 ? quote : null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}

/** Saves an edit whose total was reviewed, or shows its total. */
async function reviewOrSave(c: Context<PanelEnv>, id: number, typed: SentForm): Promise<Response> {
  const order = await orderOf(c, id);
  const sent = withoutRemoved(await chosenIn(c, typed, editInputsFor(order, {}, undefined)));
  const { ifMatch, values } = sent;
  const { content, terms } = editKinds(order, values);
  const { do: [action] = [], expected_total: [expected] = [] } = values;
  if (action === "save" && expected !== undefined) {
    const edit = sent.read(OrderEditCreate, { ...content, ...terms, expected_total: number });
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

/** The form with the messages of its quote. */
function reviewed({ action, values }: Pick<SentForm, "action" | "values">, { problems }: EditQuote): Failed {
  const errors = errorsIn(problems);
  const isFine = problems.length === 0;
  const message = isFine ? "Check the new total. Nothing was saved yet." : "The order cannot be edited like this:";
  return {
    action,
    values: calculated(values),
    errors: editErrors(values, errors),
    message,
    tone: isFine ? "success" : "warning",
  };
}

/**
 * The order's page with a form, and its quote once it was calculated. `isReviewed` is true if the quote matches the
 * form.
 */
type EditPageProps = { order: OrderRow; failed: Failed | null; quote: EditQuote | undefined; isReviewed: boolean };

async function editOrderPage(c: Context<PanelEnv>, { order, failed, quote, isReviewed }: EditPageProps) {
  const path = `/admin/orders/${order.id}/edit`;
  const values = editValues(order);
  const shown = failed?.action === path ? failed.values : valuesFrom(values);
  const inputs = editInputsFor(order, shown, quote);
  const opened = formFor<EditField>(failed, path, { inputs, values, etag: etagOf(order.updatedAt) });
  const form = await withPicks(c, opened);
  return page(
    c,
    `Edit order ${order.number}`,
    <>
      <PageHeader
        title={`Edit order ${order.number}`}
        back={{ path: `/admin/orders/${order.id}`, name: `Order ${order.number}` }}
      />
      <Form form={form} needs="orders:write">
        <input type="hidden" name="once" value={form.values.once?.[0] ?? crypto.randomUUID()} />
        {isReviewed && quote && <input type="hidden" name="expected_total" value={quote.total} />}
        <Fields order={order} form={form} quote={quote} isReviewed={isReviewed} />
      </Form>
    </>,
  );
}

type FieldsProps = Omit<EditPageProps, "failed"> & { form: FormState<EditField> };

const Fields = ({ order, form, quote, isReviewed }: FieldsProps) => (
  <OrderFrame
    form={form}
    items={<Items order={order} form={form} quote={quote} />}
    calculates={{ value: "review", label: "Review changes" }}
  >
    <Card title="Total">
      {quote && <Totals order={pricedOf(quote)} />}
      {quote && isReviewed && <Difference quote={quote} />}
      {isReviewed && quote?.settlement === "receive" && <Field form={form} name="received" />}
      <Field form={form} name="note" />
      {hasAddress(order) && <Field form={form} name="notify" />}
      <div class="actions">
        {isReviewed && (
          <Button tone="primary" name="do" value="save">
            Save changes
          </Button>
        )}
        <Button tone={isReviewed ? "quiet" : "primary"} name="do" value="review">
          {isReviewed ? "Update total" : "Review changes"}
        </Button>
        <LinkButton href={`/admin/orders/${order.id}`}>Cancel</LinkButton>
      </div>
    </Card>
  </OrderFrame>
);

/** The order's items and added products, with their quantities and new prices. */
const Items = ({ order, form, quote }: Omit<FieldsProps, "isReviewed">) => {
  const lines = [
    ...order.items.map((item) => ({
      row: rowOf(item),
      product: { label: item.name, detail: describeValues(item.optionValues) },
      price: item.unitPrice,
      total: quote?.items.find(({ id }) => id === item.id)?.total,
    })),
    ...(form.picks.get("items")?.chosen ?? []).map((pick) => {
      const added = quote?.items.find((item) => item.id === null && item.product_id === Number(pick.value));
      return { row: pick.value, product: pick, price: added && toMinor(added.unit_price), total: added?.total };
    }),
  ];
  return <LineFields form={form} lines={lines} currency={order.currency} price="New price" />;
};

const settled: Record<Settlement, string> = {
  none: "Nothing is charged or refunded.",
  unpaid: "The order is not paid. The customer pays the new total.",
  charge_wallet: "The difference is taken from the customer's wallet.",
  receive: "The order is paid. The shop has to collect the difference from the customer.",
  refund: "The difference is refunded the way the order was paid.",
};

const Difference = ({ quote: { difference, previous_total: before, currency, settlement } }: { quote: EditQuote }) => (
  <>
    <dl class="total">
      <div>
        <dt>Total before</dt>
        <dd>
          <MoneyAmount minor={toMinor(before)} currency={currency} />
        </dd>
      </div>
      <div class="sum">
        <dt>Difference</dt>
        <dd>
          <strong>
            <MoneyAmount minor={toMinor(difference)} currency={currency} />
          </strong>
        </dd>
      </div>
    </dl>
    <p class="muted">{settled[settlement]}</p>
  </>
);
