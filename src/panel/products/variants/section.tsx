import { inOptionOrder, type ProductWithVariants } from "../../../catalogue/products/schemas.ts";
import type { CountedVariant } from "../../../catalogue/products/variants/change-many.ts";
import {
  countCombinations,
  defaultSkuPattern,
  valueCombinations,
} from "../../../catalogue/products/variants/fields.ts";
import { limits } from "../../../domain/limits.ts";
import { formatAmount, formatMoney, shopCurrency } from "../../../domain/money.ts";
import { describeValues } from "../../../domain/option-values.ts";
import { unitPriceOf } from "../../../domain/unit-pricing.ts";
import { etagOf } from "../../../platform/http/version.ts";
import { type Failed, type FormState, formFor } from "../../forms/inputs.ts";
import { Allowed } from "../../kit/allowed.tsx";
import { CellField, Columns, Field, Fields } from "../../kit/fields.tsx";
import { Button, ConfirmButton, DialogButton, Form, FormDialog, SaveBar } from "../../kit/form.tsx";
import { Pagination } from "../../kit/listing.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { Thumbnail } from "../../kit/values.tsx";
import {
  additionInputs,
  applyField,
  cellOf,
  generateInputs,
  optionField,
  type VariantsInputs,
  variantsInputs,
  variantsValues,
} from "./inputs.ts";

/** Variants on one page of the table. */
const MAX_ROWS = 50;

export type VariantsProps = {
  product: ProductWithVariants;
  /** The product's variants with their units on hand. */
  counted: CountedVariant[];
  failed: Failed | null;
  page: number;
  url: string;
};

/** The variants of a product with options: a table to edit them, and a form that generates missing ones. */
export const VariantsSection = (props: VariantsProps) => {
  const { product, counted } = props;
  const missing = countCombinations(product.options) - counted.length;
  if (counted.length === 0) return <FirstVariants {...props} missing={missing} />;
  const rows = inOptionOrder(product.options, counted);
  const last = Math.max(1, Math.ceil(rows.length / MAX_ROWS));
  const page = Math.min(props.page, last);
  return (
    <section class="variants" id="variants" aria-labelledby="variants-title">
      <div class="section-header">
        <h2 id="variants-title">
          {counted.length === 1 ? "1 variant" : `${counted.length} variants`}
          <small class="muted">{inStock(counted)}</small>
        </h2>
        <div class="actions">
          {missing > 0 && (
            <Allowed to="products:write">
              <Addition {...props} />
              <Generation {...props} missing={missing} />
            </Allowed>
          )}
        </div>
      </div>
      <VariantsForm {...props} page={page} rows={rows.slice((page - 1) * MAX_ROWS, page * MAX_ROWS)} />
      {last > 1 && (
        <Pagination page={{ page, perPage: MAX_ROWS, totalItems: rows.length, totalIsExact: true }} url={props.url} />
      )}
    </section>
  );
};

/** ", 12 in stock", unless no stock is counted. */
function inStock(rows: CountedVariant[]): string {
  const counted = rows.flatMap(({ stockQuantity }) => stockQuantity ?? []);
  return counted.length === 0
    ? ""
    : `, ${counted.reduce((sum, units) => sum + units, 0).toLocaleString("en")} in stock`;
}

const generationForm = ({ product: { id, price, options }, failed }: VariantsProps) =>
  formFor(failed, `/admin/products/${id}/variants/generate`, {
    inputs: generateInputs,
    values: {
      price: price === 0 ? null : formatAmount(price),
      sku_pattern: defaultSkuPattern(options),
    },
  });

const GenerationFields = ({ form }: { form: ReturnType<typeof generationForm> }) => (
  <>
    <Columns form={form} names={["price", "stock_quantity"]} />
    <Field form={form} name="sku_pattern" />
  </>
);

const variantsOf = (count: number): string => (count === 1 ? "1 variant" : `${count} variants`);

const tooMany = (
  <p>
    The options have more combinations than the {limits.VARIANTS_PER_PRODUCT.toLocaleString("en")} variants that a
    product can have. Remove some values.
  </p>
);

/** Form that creates the first variants. A product with options is not for sale without them. */
const FirstVariants = (props: VariantsProps & { missing: number }) => {
  const form = generationForm(props);
  const { options } = props.product;
  return (
    <section class="card" id="variants">
      <h2>No variants yet</h2>
      <p class="muted">
        {options.map(({ name, values }) => `${name}: ${values.join(", ")}`).join(". ")}. The product is sold once it has
        variants, one for each combination that you offer.
      </p>
      {props.missing > limits.VARIANTS_PER_PRODUCT ? (
        tooMany
      ) : (
        <Form form={form} needs="products:write">
          <GenerationFields form={form} />
          <div class="actions">
            <Button>Generate {variantsOf(props.missing)}</Button>
          </div>
        </Form>
      )}
    </section>
  );
};

/** Adds one variant, with the values of a missing combination. */
const Addition = ({ product: { id, options, price }, counted, failed }: VariantsProps) => {
  const known = new Set(counted.map(({ optionValues }) => describeValues(optionValues)));
  const isFew = countCombinations(options) <= limits.VARIANTS_PER_PRODUCT;
  const combinations = isFew ? valueCombinations(options) : [];
  const free = combinations.find((values) => !known.has(describeValues(values))) ?? [];
  const form = formFor(failed, `/admin/products/${id}/variants/add`, {
    inputs: additionInputs(options),
    values: {
      price: price === 0 ? null : formatAmount(price),
      ...Object.fromEntries(free.map(({ value }, place) => [optionField(place), value])),
    },
  });
  return (
    <>
      <DialogButton form={form} label="Add variant" />
      <FormDialog
        form={form}
        title="Add a variant"
        text="Choose a value for each option. Add missing values under Options first."
        action="Add variant"
        tone="primary"
      >
        {options.map((_, place) => (
          <Field form={form} name={optionField(place)} />
        ))}
        <Columns form={form} names={["price", "stock_quantity"]} />
        <Field form={form} name="sku" />
      </FormDialog>
    </>
  );
};

/** Generates all missing combinations. */
const Generation = (props: VariantsProps & { missing: number }) => {
  const form = generationForm(props);
  if (props.missing + props.counted.length > limits.VARIANTS_PER_PRODUCT) return tooMany;
  return (
    <ConfirmButton
      form={form}
      label={`Generate ${variantsOf(props.missing)}`}
      title={`Generate ${variantsOf(props.missing)}`}
      text="Creates a variant for every missing combination."
      tone="quiet"
    >
      <GenerationFields form={form} />
    </ConfirmButton>
  );
};

const VariantsForm = ({
  product,
  failed,
  page,
  rows,
}: Pick<VariantsProps, "product" | "failed" | "page"> & { rows: CountedVariant[] }) => {
  const form: FormState<keyof VariantsInputs> = formFor(failed, `/admin/products/${product.id}/variants`, {
    inputs: variantsInputs(rows, product.images),
    values: variantsValues(rows),
    etag: etagOf(product.updatedAt),
  });
  return (
    <Form form={form} needs="products:write">
      <input type="hidden" name="page" value={page} />
      <div class="selection">
        <Table
          label="Variants"
          rows={rows}
          columns={columnsOf(form, product)}
          selects={({ id, optionValues }) => ({ id, name: describeValues(optionValues) })}
        />
        <BulkFields form={form} hasImages={product.images.length > 0} />
      </div>
      <SaveBar>
        <Button>Save variants</Button>
        <div class="reason">
          <Field form={form} name="reason" />
        </div>
      </SaveBar>
    </Form>
  );
};

/** Values for all selected variants at once. */
type BulkFieldsProps = { form: FormState<keyof VariantsInputs>; hasImages: boolean };

const BulkFields = ({ form, hasImages }: BulkFieldsProps) => (
  <fieldset class="bulk card" aria-label="Values for the selected variants">
    <p>
      <output data-selected>Selected variants</output>
    </p>
    <div class="fields">
      <Fields form={form} names={["set.price", "set.compare_at_price", "set.on_hand"]} />
      {hasImages && <Field form={form} name="set.image" />}
      <Field form={form} name="set.status" />
      <div class="actions">
        <Button tone="quiet" name={applyField} value="true">
          Set and save
        </Button>
      </div>
    </div>
  </fieldset>
);

function columnsOf(form: FormState<string>, { name }: ProductWithVariants): Column<CountedVariant>[] {
  const currency = shopCurrency();
  return [
    {
      title: "Variant",
      cell: ({ id, image, optionValues }) => (
        <a class="pictured" href={`/admin/products/${id}`}>
          <Thumbnail images={image === null ? [] : [{ url: image }]} name={name} />
          {describeValues(optionValues)}
        </a>
      ),
    },
    {
      title: `Price (${currency})`,
      cell: (row) => (
        <>
          <CellField form={form} name={cellOf(row.id, "price")} />
          <UnitPrice {...row} />
        </>
      ),
    },
    {
      title: `Compare-at (${currency})`,
      cell: ({ id }) => <CellField form={form} name={cellOf(id, "compare_at_price")} />,
    },
    {
      title: "On hand",
      cell: (row) => (
        <>
          <CellField form={form} name={cellOf(row.id, "on_hand")} />
          <Held {...row} />
        </>
      ),
    },
    { title: "SKU", cell: ({ id }) => <CellField form={form} name={cellOf(id, "sku")} /> },
    { title: "Status", cell: ({ id }) => <CellField form={form} name={cellOf(id, "status")} /> },
  ];
}

const UnitPrice = ({ price, unitPricing: pricing }: CountedVariant) =>
  pricing && (
    <span class="hint">
      {formatMoney(unitPriceOf(price, pricing), shopCurrency())} / {pricing.reference} {pricing.referenceUnit}
    </span>
  );

/** Units that orders hold, if any. */
const Held = ({ onHand, stockQuantity }: CountedVariant) => {
  const held = (onHand ?? 0) - (stockQuantity ?? 0);
  return held > 0 ? <span class="hint">{held} in orders</span> : null;
};
