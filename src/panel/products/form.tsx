import type { Child } from "hono/jsx";
import { type ProductRow, searchResultOf } from "../../catalogue/products/schemas.ts";
import { type Failed, type FormInput, type FormState, formFor, optionsOf } from "../forms/inputs.ts";
import { Allowed, useReadOnly } from "../kit/allowed.tsx";
import { Choices, Columns, Field, Fields, Folded, Group, Images, Thirds } from "../kit/fields.tsx";
import { Button, Form } from "../kit/form.tsx";
import { Card } from "../kit/page-parts.tsx";
import { DescriptionList, PriceRange } from "../kit/values.tsx";
import type { productInputs } from "./inputs.ts";
import { UnitPricingFields } from "./unit-pricing.tsx";
import { OPTION_PLACES } from "./variants/options.ts";

export type ProductForm = FormState<keyof ReturnType<typeof productInputs>>;

type FieldsProps = { form: ProductForm };

type ProductFieldsProps = FieldsProps & {
  /** Null for a new product. */
  product: ProductRow | null;
  stock: Child;
};

/**
 * A product's fields: its content, price and stock, next to where it belongs. The stock fields depend on whether stock is
 * already managed.
 */
export const ProductFields = ({ form, product, stock }: ProductFieldsProps) => {
  const hasOptions = product !== null && product.options.length > 0;
  const rest = (
    <>
      <Downloads form={form} />
      <LicenseAndRenewal form={form} />
      <SearchEngines form={form} product={product} />
      <MoreSettings form={form} hasOptions={hasOptions} />
    </>
  );
  return (
    <div class="editor">
      <div>
        <section class="card">
          <Fields form={form} names={["name", "description"]} />
        </section>
        <section class="card" id="images">
          <Images form={form} name="images" />
        </section>
        {!hasOptions && (
          <>
            <Card title="Pricing">
              <Thirds form={form} names={["price", "compare_at_price", "cost"]} />
            </Card>
            <Card title="Stock">
              <Columns form={form} names={["sku", "barcode"]} />
              {stock}
            </Card>
          </>
        )}
        <Options form={form} product={product} />
        <section class="card of-shipped">
          <h2>Shipping</h2>
          <Field form={form} name="weight_grams" />
        </section>
        <Folded
          form={form}
          title="Unit price"
          names={["unit_pricing"]}
          isOpen={Boolean(form.values["unit_pricing.measure.value"]?.[0])}
        >
          <UnitPricingFields form={form} />
        </Folded>
      </div>
      <div>
        <section class="card">
          <Fields form={form} names={["status", "type", "category_id", "new_category", "tags", "brand"]} />
        </section>
        {hasOptions && <SoldAsVariants form={form} product={product} />}
        {hasOptions && rest}
      </div>
      {/* The table of variants follows a product with options. */}
      {!hasOptions && <div>{rest}</div>}
    </div>
  );
};

/** Pricing and stock of a product with options, which belong to its variants. */
const SoldAsVariants = ({ form, product }: FieldsProps & { product: ProductRow }) => {
  const { price, highestVariantPrice, variantCount } = product;
  return (
    <Card title="Pricing and stock">
      <Field form={form} name="sku" />
      {variantCount === 0 ? (
        <Field form={form} name="price" />
      ) : (
        <DescriptionList facts={{ Price: <PriceRange min={price} max={highestVariantPrice} /> }} />
      )}
      <p class="muted">
        Each variant has its own price, cost, stock, SKU and barcode.{" "}
        {variantCount > 0 && <a href="#variants">Change them in the table of variants</a>}
      </p>
    </Card>
  );
};

/** Folded for products without options. */
const Options = ({ form, product }: FieldsProps & { product: ProductRow | null }) => (
  <Folded
    form={form}
    title="Options"
    names={["options"]}
    isOpen={Boolean(product?.options.length || form.values["options.0.name"]?.[0])}
  >
    {product?.manageStock ? (
      <p class="muted">
        This product has stock of its own. To sell it in sizes, colors and so on, untick “Manage stock” and save: each
        variant then has its own stock.
      </p>
    ) : (
      <OptionFields form={form} />
    )}
  </Folded>
);

/** Rows of options. The next row appears once the previous one is filled in. A script shows values as chips. */
const OptionFields = ({ form }: FieldsProps) => (
  <Group form={form} name="options">
    {OPTION_PLACES.map((place) => (
      <div class="option" data-option>
        <Field form={form} name={`options.${place}.name`} />
        <Field form={form} name={`options.${place}.values`} />
      </div>
    ))}
  </Group>
);

/** The stock of a product whose stock is not managed yet. */
export const NewStock = ({ form }: FieldsProps) => (
  <Fields form={form} names={["manage_stock", "stock_quantity", "low_stock_threshold"]} />
);

/** Open for products that grant files. A script opens it once the type is digital. */
const Downloads = ({ form }: FieldsProps) => {
  const { type, file_ids = [] } = form.values;
  return (
    <Folded
      form={form}
      title="Downloads"
      names={["file_ids", "download_limit", "download_days"]}
      isOpen={type?.[0] === "digital" || file_ids.length > 0}
    >
      <DownloadFields form={form} />
      <Columns form={form} names={["download_limit", "download_days"]} />
    </Folded>
  );
};

const LicenseAndRenewal = ({ form }: FieldsProps) => {
  const { renews, ...values } = form.values;
  const hasLicense = ["activation_limit", "prefix", "valid_days", "update_days"].some(
    (part) => values[`license.${part}`]?.[0],
  );
  return (
    <Folded
      form={form}
      title="License keys and renewal"
      names={["license", "renews"]}
      isOpen={hasLicense || Boolean(renews?.[0])}
    >
      <LicenseFields form={form} />
      <Field form={form} name="renews" />
    </Folded>
  );
};

/** The license keys that units of a product get. */
export const LicenseFields = ({ form }: FieldsProps) => (
  <Group form={form} name="license">
    <Field form={form} name="license.source" />
    <Columns form={form} names={["license.activation_limit", "license.prefix"]} />
    <Columns form={form} names={["license.valid_days", "license.update_days"]} />
  </Group>
);

/** The files that a product includes. */
export const DownloadFields = ({ form }: FieldsProps) => (
  <Group form={form} name="file_ids">
    {[...optionsOf(form.inputs.file_ids)].length === 0 && <p class="muted">There are no files yet.</p>}
    <Choices form={form} name="file_ids" />
    <Allowed to="files:write">
      <noscript>
        <a href="/admin/files/new">Upload a file</a>
      </noscript>
      <FileUpload />
    </Allowed>
  </Group>
);

/** Uploads files by script, which makes it visible. */
const FileUpload = () =>
  useReadOnly() ? null : (
    <div class="field" data-files="/admin/files/uploads" hidden>
      <input type="file" multiple aria-label="Upload files" />
      <span class="hint">Uploads files and adds them to the product.</span>
    </div>
  );

/** Preview of a product in a search engine's results. */
const SearchEngines = ({ form, product }: FieldsProps & { product: ProductRow | null }) => {
  const { seo_title, seo_description } = form.values;
  const shown = product && searchResultOf(product);
  return (
    <Folded
      form={form}
      title="Search engines"
      names={["seo_title", "seo_description"]}
      isOpen={Boolean(seo_title?.[0] || seo_description?.[0])}
    >
      {shown && <DescriptionList facts={{ [shown.seo_title]: shown.seo_description || "No description" }} />}
      <Fields form={form} names={["seo_title", "seo_description"]} />
    </Folded>
  );
};

/** Folded for products with options, so that the variants follow closely. */
const MoreSettings = ({ form, hasOptions }: FieldsProps & { hasOptions: boolean }) => {
  const { requires_shipping, metadata, ...values } = form.values;
  const isUsual = Object.entries(usual).every(([name, value]) => (values[name]?.[0] ?? value) === value);
  return (
    <Folded
      form={form}
      title="More settings"
      names={["condition", "withdrawal", "slug", "requires_shipping", "tax_class", "external_id", "metadata"]}
      isOpen={!hasOptions && Boolean(!isUsual || requires_shipping?.[0] || metadata?.[0])}
    >
      <Columns form={form} names={["tax_class", "requires_shipping", "condition", "withdrawal"]} />
      <Fields form={form} names={["slug", "external_id", "metadata"]} />
    </Folded>
  );
};

/** Choices that most products keep. */
const usual = { tax_class: "standard", condition: "new", withdrawal: "standard" };

/** Uploads one image without scripts and adds it after the others. */
export const ImageUpload = ({ action, failed }: { action: string; failed: Failed | null }) => {
  const form = formFor(failed, action, {
    inputs: {
      file: { as: "file", label: "Upload an image", hint: "Added after the other images.", required: true },
    } satisfies Record<string, FormInput>,
  });
  return (
    <noscript>
      <div class="card">
        <Form form={form} multipart needs="products:write">
          <Field form={form} name="file" />
          <Button>Upload</Button>
        </Form>
      </div>
    </noscript>
  );
};
