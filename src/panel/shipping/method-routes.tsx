import type { Context } from "hono";
import { type MethodRow, methodFields, shippingMethods as resource } from "../../checkout/shipping/methods.ts";
import { formatAmount } from "../../domain/money.ts";
import type { WeightBracket } from "../../platform/db/schema.ts";
import { etagOf } from "../../platform/http/version.ts";
import type { PanelEnv } from "../env.ts";
import { Inputs, kindsOf, valuesOf } from "../forms/inputs.tsx";
import { type FieldKind, number } from "../forms/kinds.ts";
import { linesOf } from "../forms/lines.ts";
import { money } from "../forms/money.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Button } from "../kit/buttons.tsx";
import { Form } from "../kit/form.tsx";
import { RowHeader } from "../kit/row-header.tsx";
import { page } from "../page.tsx";
import { resourceActions } from "../resource-actions.ts";

const ZONES = "/admin/shipping-zones";

/** One bracket per line: "2000 = 4.90". */
const brackets: FieldKind = ([typed]) =>
  linesOf(typed).map((line) => {
    const [grams = "", price = ""] = line.split("=");
    return { up_to_grams: number([grams]), price: money("brackets")([price]) };
  });

const bracketLines = (rows: WeightBracket[]): string =>
  rows.map(({ upToGrams, price }) => `${upToGrams} = ${formatAmount(price)}`).join("\n");

/** The method's form by API field; its zone is in the address. */
export const methodKinds = { ...kindsOf(methodFields), brackets };

export const shippingMethods = resourceActions(resource, {
  kinds: methodKinds,
  rowPage,
  after: ({ zoneId, name }, done) => [`${ZONES}/${zoneId}`, `${done === "deleted" ? "The method" : name} was ${done}.`],
});

const methodValues = (method: MethodRow) => ({
  ...valuesOf(methodFields, method),
  brackets: bracketLines(method.brackets),
  ...(method.kind === "weight" && { price: null }),
});

async function rowPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const method = await resource.require(c.var.db, id);
  const path = `/admin/shipping-methods/${id}`;
  const etag = etagOf(method.updatedAt);
  const form = formFor(failed, path, methodValues(method), etag);
  return page(
    c,
    method.name,
    <>
      <RowHeader
        title={method.name}
        back={{ path: `${ZONES}/${method.zoneId}`, name: "Shipping zone" }}
        audit={{ subject: "shipping_method", id }}
        deletion={{
          form: formFor(failed, `${path}/delete`, {}, etag),
          needs: "settings:write",
          title: `Delete ${method.name}?`,
          text: "Customers can no longer choose it. Existing orders keep it.",
        }}
      />
      <div class="card">
        <Form form={form} needs="settings:write">
          <Inputs form={form} fields={methodFields} />
          <Button>Save method</Button>
        </Form>
      </div>
    </>,
  );
}
