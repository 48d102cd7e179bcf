import type { Context } from "hono";
import type { Child } from "hono/jsx";
import { readShop } from "../../../back-office/shop/shop.ts";
import type { DraftRow } from "../../../checkout/orders/by-hand/schemas.ts";
import type { Quote } from "../../../checkout/orders/create/quote.ts";
import { shopCurrency } from "../../../domain/money.ts";
import { accountScopeOf } from "../../../platform/auth/caller.ts";
import { etagOf } from "../../../platform/http/version.ts";
import { type Failed, type FormState, formFor } from "../../forms/inputs.ts";
import { type Initial, valuesFrom } from "../../forms/kinds.ts";
import { Allowed } from "../../kit/allowed.tsx";
import { Columns, Field, Fields } from "../../kit/fields.tsx";
import { Button, ConfirmButton, Form, LinkButton } from "../../kit/form.tsx";
import { AuditLink, Card, PageHeader } from "../../kit/page-parts.tsx";
import { pricedOf, Totals } from "../../kit/totals.tsx";
import { Badge } from "../../kit/values.tsx";
import { type PanelEnv, page } from "../../page.tsx";
import type { PickerOption } from "../../pickers/picker.ts";
import { withPicks } from "../../pickers/resolve.ts";
import { LineFields, OrderFrame } from "../form-sections.tsx";
import { ADDRESS_OF, draftValues, inputsFor, methodsOf, type OrderField, productsIn, readAddresses } from "./inputs.ts";

const NEW = "/admin/orders/new";

/** A form of an order by staff, and its quote once it was calculated. */
export type SeenOrder = { failed: Failed | null; quote?: Quote | undefined };

export async function newOrderPage(c: Context<PanelEnv>, { failed, quote }: SeenOrder) {
  const { homeCountry } = await readShop(c.var.db, c.var.settings.email);
  const values = { user_id: c.req.query("user_id") ?? "", "shipping_address.country": homeCountry };
  const fields = await readOrderForm(c, { path: NEW, failed, quote, values });
  return page(
    c,
    "Create order",
    <>
      <PageHeader />
      <OrderForm {...fields} next="place" />
    </>,
  );
}

const ACTIONS = { place: "Place order", save: "Save draft" };

/** The form of an order by staff. `next` is the action of its main button. */
const OrderForm = ({ next, ...fields }: FormProps & { next: keyof typeof ACTIONS }) => (
  <Form form={fields.form} needs="orders:write">
    <input type="hidden" name="once" value={fields.form.values.once?.[0] ?? crypto.randomUUID()} />
    {fields.form.values[ADDRESS_OF] && (
      <input type="hidden" name={ADDRESS_OF} value={fields.form.values[ADDRESS_OF][0]} />
    )}
    <OrderFields {...fields}>
      {([next, next === "place" ? "save" : "place"] as const).map((action) => (
        <Button tone={action === "place" && next === action ? "primary" : "quiet"} name="do" value={action}>
          {ACTIONS[action]}
        </Button>
      ))}
    </OrderFields>
  </Form>
);

type DraftPageProps = SeenOrder & { draft: DraftRow };

/** A draft that is not placed yet. */
export async function draftOrderPage(c: Context<PanelEnv>, { draft, failed, quote }: DraftPageProps) {
  const path = `/admin/orders/drafts/${draft.id}`;
  const etag = etagOf(draft.updatedAt);
  const values = draftValues(draft.content);
  const fields = await readOrderForm(c, { path, failed, quote, values, etag });
  const deletion = formFor(failed, `${path}/delete`, { etag });
  const sending = formFor(failed, `${path}/send`, { etag });
  return page(
    c,
    `Draft ${draft.id}`,
    <>
      <PageHeader statuses={<Badge status={draft.status} />}>
        <AuditLink subject="draft_order" id={draft.id} />
        <Allowed to="orders:write">
          <ConfirmButton
            form={deletion}
            label="Delete"
            title="Delete this draft?"
            text="The customer's link stops working."
          />
          <ConfirmButton
            form={sending}
            label={draft.status === "sent" ? "Send again" : "Send to customer"}
            action="Send"
            title="Send this draft?"
            text="The customer gets an e-mail with a link to confirm and pay. The draft holds no stock until then. Save your changes first."
            tone="primary"
            isNext
          >
            <input type="hidden" name="once" value={crypto.randomUUID()} />
          </ConfirmButton>
        </Allowed>
      </PageHeader>
      <OrderForm {...fields} next="save" />
    </>,
  );
}

type FormPageProps = SeenOrder & { path: string; values?: Record<string, Initial>; etag?: string };

async function readOrderForm(
  c: Context<PanelEnv>,
  { path, failed, quote, values = {}, etag }: FormPageProps,
): Promise<FormProps> {
  const shown = failed?.action === path ? failed.values : valuesFrom(values);
  const scope = accountScopeOf(c.var.caller);
  const choices = { addresses: await readAddresses(c.var.db, scope, shown), methods: methodsOf(quote) };
  const inputs = inputsFor(productsIn(shown), choices);
  const opened = formFor(failed, path, { inputs, values, ...(etag !== undefined && { etag }) });
  const form = await withPicks(c, opened);
  return { form, quote, hasAddresses: choices.addresses.length > 0 };
}

type FormProps = { form: FormState<OrderField>; quote: Quote | undefined; hasAddresses: boolean };

/** The fields of an order by staff. The children are the buttons. */
const OrderFields = ({ form, quote, hasAddresses, children }: FormProps & { children: Child }) => (
  <OrderFrame
    form={form}
    items={<Items form={form} quote={quote} />}
    customer={
      <>
        <Field form={form} name="user_id" />
        <Columns form={form} names={["customer.email", "customer.name"]} />
      </>
    }
    addresses={hasAddresses && <Field form={form} name="shipping_address_id" />}
    calculates={{ value: "update", label: "Update total" }}
  >
    <Card title="Payment">
      <Fields form={form} names={["payment_method", "paid", "pay_within_days", "note"]} />
    </Card>
    <Card title="Total">
      {quote ? (
        <Totals order={pricedOf(quote)} />
      ) : (
        <p class="muted">
          {form.picks.get("items")?.chosen.length ? "“Update total” shows the total." : "Add an item to see the total."}
        </p>
      )}
      <div class="actions">
        {children}
        <Button tone="quiet" name="do" value="update">
          Update total
        </Button>
        <LinkButton href="/admin/orders">Cancel</LinkButton>
      </div>
    </Card>
  </OrderFrame>
);

/** The ordered products with their quantities and prices. The form also sends their ids. */
const Items = ({ form, quote }: Omit<FormProps, "hasAddresses">) => {
  const quoted = (id: string) => quote?.items.find((item) => item.product_id === Number(id));
  /** A deleted product is found by its id only, and keeps the name that the draft saved. */
  const nameOf = ({ value, label }: PickerOption) => (label === `#${value}` ? (quoted(value)?.name ?? label) : label);
  const added = form.picks.get("items")?.chosen ?? [];
  const lines = added.map((pick) => ({
    row: pick.value,
    product: { ...pick, label: nameOf(pick) },
    total: quoted(pick.value)?.total,
  }));
  return <LineFields form={form} lines={lines} currency={quote?.currency ?? shopCurrency()} price="Your price" />;
};
