import type { Context } from "hono";
import { type MethodRow, methodFields, methodLabels, shippingMethodResource } from "../../checkout/shipping/methods.ts";
import { formatMoney, shopCurrency } from "../../domain/money.ts";
import { etagOf } from "../../platform/http/version.ts";
import { inputsOf, kindsOf, valuesOf } from "../forms/conversion.ts";
import { type Failed, type FormState, formFor } from "../forms/inputs.ts";
import type { FieldKind, Values } from "../forms/kinds.ts";
import { Field, Fields, OfKind } from "../kit/fields.tsx";
import { FormCard, RowHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, MoneyAmount } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { recordPages } from "../record-pages.ts";
import { resourceForms } from "../resource-pages.tsx";

const ZONES = "/admin/shipping-zones";

/** The method's form by API field; its zone is in the address. */
export const methodInputs = inputsOf(methodFields);

/** Converters of the method's form. The price of another kind is dropped. */
export const methodKinds = ({ kind: [kind = ""] = [] }: Values): Record<string, FieldKind> => ({
  ...kindsOf(methodInputs),
  [kind === "weight" ? "price" : "brackets"]: () => undefined,
});

export const MethodFields = ({ form }: { form: FormState<keyof typeof methodInputs> }) => (
  <>
    <div class="columns">
      <Fields form={form} names={["name", "kind"]} />
      <OfKind kinds={["flat_rate", "pickup"]}>
        <Field form={form} name="price" />
      </OfKind>
      <Fields form={form} names={["free_from", "min_days", "max_days"]} />
    </div>
    <OfKind kinds={["weight"]}>
      <Field form={form} name="brackets" />
    </OfKind>
    <Field form={form} name="enabled" />
  </>
);

const { create: _create, ...forms } = resourceForms(shippingMethodResource, {
  kinds: methodKinds,
  after: ({ zoneId, name }, done) => [`${ZONES}/${zoneId}`, `${done === "deleted" ? "The method" : name} was ${done}.`],
});

export const shippingMethodPages = recordPages("/shipping-methods", { ...forms, rowPage });

const methodValues = (method: MethodRow) => ({
  ...valuesOf(methodFields, method),
  ...(method.kind === "weight" && { price: null }),
});

async function rowPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const method = await shippingMethodResource.require(c.var.db, id);
  const path = `/admin/shipping-methods/${id}`;
  const etag = etagOf(method.updatedAt);
  const form = formFor(failed, path, { inputs: methodInputs, values: methodValues(method), etag });
  return page(
    c,
    method.name,
    <>
      <RowHeader
        title={method.name}
        back={{ path: `${ZONES}/${method.zoneId}`, name: "Shipping zone" }}
        audit={{ subject: "shipping_method", id }}
        deletion={{
          form: formFor(failed, `${path}/delete`, { etag }),
          needs: "settings:write",
          title: `Delete ${method.name}?`,
          text: "Customers can no longer choose it. Existing orders keep it.",
        }}
      />
      <FormCard form={form} needs="settings:write" button="Save method">
        <MethodFields form={form} />
      </FormCard>
    </>,
  );
}

type Props = { label: string; methods: MethodRow[] };

/** A zone's shipping methods. */
export const MethodTable = ({ label, methods }: Props) => (
  <Table
    label={label}
    rows={methods}
    columns={[
      { title: "Method", cell: ({ id, name }) => <a href={`/admin/shipping-methods/${id}`}>{name}</a> },
      { title: "Kind", cell: ({ kind }) => methodLabels[kind] },
      { title: "Price", cell: priceOf },
      { title: "Free from", cell: ({ freeFrom }) => freeFrom && <MoneyAmount minor={freeFrom} /> },
      { title: "Days", cell: daysOf },
      { title: "State", cell: ({ enabled }) => <Badge status={enabled ? "active" : "disabled"} /> },
    ]}
  />
);

function priceOf({ kind, price, brackets }: MethodRow): string {
  const currency = shopCurrency();
  if (kind !== "weight") return price === 0 ? "Free" : formatMoney(price, currency);
  return brackets
    .map((bracket) => `${formatMoney(bracket.price, currency)} up to ${bracket.upToGrams / 1000} kg`)
    .join(", ");
}

function daysOf({ minDays, maxDays }: MethodRow): string | null {
  if (minDays === maxDays) return minDays === null ? null : String(minDays);
  if (minDays === null) return `up to ${maxDays}`;
  return maxDays === null ? `${minDays} or more` : `${minDays} to ${maxDays}`;
}
