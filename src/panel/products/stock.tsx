import type { ProductRow } from "../../catalogue/products/schemas.ts";
import type { stockAdjustments } from "../../platform/db/schema.ts";
import { type Failed, formFor, withErrorsAt } from "../forms/inputs.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { AllFields, Fields } from "../kit/fields.tsx";
import { DialogButton, FormDialog } from "../kit/form.tsx";
import { DescriptionList, Reference } from "../kit/values.tsx";
import type { ProductForm } from "./form.tsx";
import { stockInputs } from "./inputs.ts";
import { KeyListButtons, KeyListDialogs } from "./key-list.tsx";

type Adjustment = typeof stockAdjustments.$inferSelect & { actorName: string | null };

export type ManagedStock = {
  product: ProductRow;
  /** Units of unsent orders. */
  held: number;
  adjustments: Adjustment[];
  failed: Failed | null;
};

const hasUploadedKeys = ({ license }: ProductRow): boolean => license?.source === "uploaded";

function adjustmentForm({ product, held, failed }: ManagedStock) {
  return formFor(
    failed && withErrorsAt("pieces", ["delta", "quantity"], failed),
    `/admin/products/${product.id}/stock`,
    {
      inputs: stockInputs(held),
      values: { how: "delta" },
    },
  );
}

const count = (units: number): string => units.toLocaleString("en");

/** The stock of a product whose stock is managed. Its number changes by adjustments. */
export const StockLevels = ({ form, ...managed }: ManagedStock & { form: ProductForm }) => {
  const { product, held, adjustments } = managed;
  const available = product.stockQuantity ?? 0;
  return (
    <>
      <DescriptionList
        facts={
          hasUploadedKeys(product)
            ? { "Unsold keys": count(available) }
            : { Available: count(available), "In orders": count(held), "On hand": count(available + held) }
        }
      />
      <Allowed to="products:write">
        {hasUploadedKeys(product) ? (
          <KeyListButtons {...managed} />
        ) : (
          <DialogButton form={adjustmentForm(managed)} label="Adjust stock" />
        )}
      </Allowed>
      <Fields form={form} names={["low_stock_threshold", "manage_stock"]} />
      {adjustments.length > 0 && <Adjustments rows={adjustments} />}
    </>
  );
};

const Adjustments = ({ rows }: { rows: Adjustment[] }) => (
  <details>
    <summary>Latest adjustments</summary>
    <ul class="entries">
      {rows.map(({ delta, reason, actor, actorName, createdAt }) => (
        <li>
          <strong>{delta > 0 ? `+${delta}` : delta}</strong> {reason}
          <div class="hint">
            <Reference to={actor} names={new Map([[actor, actorName ?? actor]])} />, <When at={createdAt} />
          </div>
        </li>
      ))}
    </ul>
  </details>
);

/** Outside the product's form, which cannot contain another one. */
export const StockDialog = (managed: ManagedStock) => {
  if (hasUploadedKeys(managed.product)) return <KeyListDialogs {...managed} />;
  const form = adjustmentForm(managed);
  return (
    <Allowed to="products:write">
      <FormDialog
        form={form}
        title="Adjust stock"
        text="The change takes effect at once and is kept with its reason."
        action="Adjust stock"
        tone="primary"
      >
        <AllFields form={form} />
      </FormDialog>
    </Allowed>
  );
};
