import { optionsOf } from "../forms/inputs.ts";
import { Columns, Field, Fields, OfKind } from "../kit/fields.tsx";
import { Card } from "../kit/page-parts.tsx";
import type { DiscountForm } from "./inputs.ts";
import { Summary } from "./summary.tsx";

/** A new discount has no `uses`. Without products and categories it applies to all products, so it has nothing to choose. */
export const DiscountFields = ({ form, uses }: { form: DiscountForm; uses?: number }) => (
  <div class="editor">
    <div>
      <section class="card">
        <Columns form={form} names={["name", "code"]} />
      </section>
      <Card title="Value">
        <div class="columns">
          <Field form={form} name="kind" />
          <OfKind kinds={["buy_x_get_y"]}>
            <Field form={form} name="buy_quantity" />
          </OfKind>
          <OfKind kinds={["buy_x_get_y"]}>
            <Field form={form} name="get_quantity" />
          </OfKind>
          <OfKind kinds={["percentage", "buy_x_get_y"]}>
            <Field form={form} name="percent" />
          </OfKind>
          <OfKind kinds={["amount"]}>
            <Field form={form} name="amount" />
          </OfKind>
        </div>
        <OfKind kinds={["buy_x_get_y"]}>
          <p class="hint">Leave the percentage empty to give the units for free.</p>
        </OfKind>
      </Card>
      <Card title="Applies to">
        {uses === undefined ? (
          <p class="hint">Leave empty for all products.</p>
        ) : (
          <Field form={form} name="applies_to" />
        )}
        {[...optionsOf(form.inputs.category_ids)].length > 0 && <Field form={form} name="category_ids" />}
        <Field form={form} name="product_ids" />
      </Card>
    </div>
    <div>
      <Summary form={form} uses={uses} />
      <section class="card">
        <Fields form={form} names={["starts_at", "ends_at", "enabled"]} />
      </section>
      <Card title="Conditions">
        <Fields form={form} names={["minimum_subtotal", "max_uses", "max_uses_per_customer", "first_order_only"]} />
      </Card>
      <Card title="With other discounts">
        <Fields form={form} names={["combinable", "priority"]} />
      </Card>
    </div>
  </div>
);
