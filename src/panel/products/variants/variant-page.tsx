import type { Child, PropsWithChildren } from "hono/jsx";
import { productState } from "../../../catalogue/products/fields.ts";
import type { ProductWithVariants } from "../../../catalogue/products/schemas.ts";
import { describeValues } from "../../../domain/option-values.ts";
import { measuresText, toMeasures } from "../../../domain/unit-pricing.ts";
import type { InheritableField } from "../../../platform/db/schema.ts";
import { etagOf } from "../../../platform/http/version.ts";
import type { FormChoices } from "../../choices.ts";
import { errorsOf, type FormState, formFor } from "../../forms/inputs.ts";
import { valuesFrom } from "../../forms/kinds.ts";
import { Choice, Columns, Field, Fields, Folded, Group, Images } from "../../kit/fields.tsx";
import { Form } from "../../kit/form.tsx";
import { Card, RowHeader } from "../../kit/page-parts.tsx";
import { Badge, FormattedText, Thumbnail } from "../../kit/values.tsx";
import { DownloadFields, LicenseFields, NewStock } from "../form.tsx";
import { chosenOf, productValues } from "../inputs.ts";
import { type ManagedStock, StockDialog, StockLevels } from "../stock.tsx";
import { UnitPricingFields } from "../unit-pricing.tsx";
import { optionField, variantInputs, wordsOf } from "./inputs.ts";

type VariantForm = FormState<keyof ReturnType<typeof variantInputs>>;

export type VariantPageProps = ManagedStock & {
  product: ProductWithVariants;
  parent: ProductWithVariants;
  choices: FormChoices;
  shopUrl: string | null;
};

/** The page of one variant. Its fields are inherited from its product, or its own. */
export const VariantPage = ({ parent, choices, shopUrl, ...managed }: VariantPageProps) => {
  const { product, failed } = managed;
  const path = `/admin/products/${product.id}`;
  const { category_id: _c, tags: _t, ...own } = productValues(product);
  const form: VariantForm = formFor(failed, `${path}/variant`, {
    inputs: variantInputs(parent.options, chosenOf(product, choices)),
    values: {
      ...own,
      inherits: product.inherits,
      ...Object.fromEntries(product.optionValues.map(({ value }, place) => [optionField(place), value])),
    },
    etag: etagOf(product.updatedAt),
  });
  const title = describeValues(product.optionValues);
  const status = product.ownStatus ?? product.status;
  return (
    <>
      <RowHeader
        title={`${product.name}: ${title}`}
        back={{ path: `/admin/products/${parent.id}`, name: parent.name }}
        statuses={<Badge status={status} />}
        audit={{ subject: "product", id: product.id }}
        deletion={{
          form: formFor(failed, `${path}/delete`, { etag: etagOf(product.updatedAt) }),
          needs: "products:write",
          title: `Delete ${title}?`,
          text: "Removes the variant from the shop and all carts. A variant that was sold cannot be deleted. Set it to draft instead.",
        }}
      >
        {shopUrl !== null && product.status === "active" && (
          <a
            class="button quiet"
            href={`${shopUrl}/products/${parent.id}?variant=${product.id}`}
            target="_blank"
            rel="noreferrer"
          >
            View in shop
          </a>
        )}
      </RowHeader>
      <Siblings parent={parent} product={product} />
      {product.manageStock && <StockDialog {...managed} />}
      <Form form={form} needs="products:write" save="Save variant">
        <VariantFields
          form={form}
          parent={parent}
          stock={product.manageStock ? <StockLevels {...managed} form={form} /> : <NewStock form={form} />}
        />
      </Form>
    </>
  );
};

/** Links to the variants that differ in one value, by option. */
const Siblings = ({ parent, product }: Pick<VariantPageProps, "parent" | "product">) => {
  const ids = new Map(parent.variants.map(({ id, optionValues }) => [JSON.stringify(optionValues), id]));
  return (
    <nav class="field siblings" aria-label="Other variants">
      {parent.options.map(({ name, values }) => (
        <div class="actions">
          <span class="muted">{name}</span>
          {values.map((value) => {
            const chosen = product.optionValues.map((own) => (own.name === name ? { name, value } : own));
            const id = ids.get(JSON.stringify(chosen));
            if (id === undefined) return <span class="chip muted">{value}</span>;
            return (
              <a class="chip" href={`/admin/products/${id}`} aria-current={id === product.id ? "page" : undefined}>
                {value}
              </a>
            );
          })}
        </div>
      ))}
    </nav>
  );
};

type FieldsProps = { form: VariantForm; parent: ProductWithVariants };

const VariantFields = ({ form, parent, stock }: FieldsProps & { stock: Child }) => {
  const places = parent.options.map((_, place) => optionField(place));
  const sold = ["file_ids", "download_limit", "download_days", "license", "renews"] as const;
  return (
    <div class="editor">
      <div>
        <section class="card">
          <Group form={form} name="option_values">
            <Columns form={form} names={places} />
          </Group>
          <Columns form={form} names={["sku", "barcode"]} />
        </section>
        <section class="card">
          <Inheritable form={form} parent={parent} name="name" />
          <Inheritable form={form} parent={parent} name="description" />
          <Inheritable form={form} parent={parent} name="brand" />
          <Inheritable form={form} parent={parent} name="condition" />
          <Inheritable form={form} parent={parent} name="withdrawal" />
        </section>
        <section class="card">
          <Inheritable form={form} parent={parent} name="images">
            <Images form={form} name="images" />
          </Inheritable>
        </section>
      </div>
      <div>
        <section class="card">
          <Field form={form} name="status" />
          {parent.status !== "active" && (
            <p class="muted">The product is a draft, so none of its variants is in the shop.</p>
          )}
        </section>
        <Card title="Pricing">
          <Fields form={form} names={["price", "compare_at_price", "cost"]} />
          <Inheritable form={form} parent={parent} name="unit_pricing">
            <UnitPricingFields form={form} />
          </Inheritable>
        </Card>
        <Card title="Stock">{stock}</Card>
        <Card title="Shipping">
          <Inheritable form={form} parent={parent} name="weight_grams" />
          <Inheritable form={form} parent={parent} name="requires_shipping" />
        </Card>
      </div>
      <div>
        <Folded
          form={form}
          title="Downloads"
          names={[...sold]}
          isOpen={parent.type === "digital" || sold.some((name) => !form.values.inherits?.includes(name))}
        >
          <Inheritable form={form} parent={parent} name="file_ids">
            <DownloadFields form={form} />
          </Inheritable>
          <Inheritable form={form} parent={parent} name="download_limit" />
          <Inheritable form={form} parent={parent} name="download_days" />
          <Inheritable form={form} parent={parent} name="license">
            <LicenseFields form={form} />
          </Inheritable>
          <Inheritable form={form} parent={parent} name="renews" />
        </Folded>
        <Folded form={form} title="Search engines" names={["seo_title", "seo_description"]} isOpen={false}>
          <Inheritable form={form} parent={parent} name="seo_title" />
          <Inheritable form={form} parent={parent} name="seo_description" />
        </Folded>
        <Folded
          form={form}
          title="More settings"
          names={["type", "tax_class", "slug", "external_id", "metadata"]}
          isOpen={false}
        >
          <Inheritable form={form} parent={parent} name="type" />
          <Inheritable form={form} parent={parent} name="tax_class" />
          <Fields form={form} names={["slug", "external_id", "metadata"]} />
        </Folded>
      </div>
    </div>
  );
};

/** A field that is inherited while its box is ticked, and otherwise the variant's own. */
const Inheritable = ({
  form,
  parent,
  name,
  children = <Field form={form} name={name} />,
}: PropsWithChildren<FieldsProps & { name: InheritableField }>) => (
  <div class="field inheritable">
    <Choice form={form} name="inherits" value={name}>
      {form.inputs[name].label}: same as the product
    </Choice>
    <div class={errorsOf(form, name).length > 0 ? "own refused" : "own"}>{children}</div>
    <div class="same muted">
      <Inherited form={form} parent={parent} name={name} />
    </div>
  </div>
);

/** The product's value of a field. */
const Inherited = ({ form, parent, name }: FieldsProps & { name: InheritableField }) => {
  if (name === "images") {
    return parent.images.length === 0 ? (
      <>none</>
    ) : (
      <span class="thumbnails">
        {parent.images.map((image) => (
          <Thumbnail images={[image]} name={image.alt} />
        ))}
      </span>
    );
  }
  if (name === "description") return <FormattedText markdown={parent.description} />;
  if (name === "unit_pricing") return <>{parent.unitPricing ? measuresText(toMeasures(parent.unitPricing)) : "none"}</>;
  if (name === "requires_shipping") return <>{parent.requiresShipping ? "yes" : "no"}</>;
  if (name === "license") return <>{parent.license ? `${parent.license.activation_limit} devices per key` : "none"}</>;
  const values = valuesFrom({ [name]: productState(parent)[name] });
  return <span class="said">{wordsOf(form.inputs[name], values[name])}</span>;
};
