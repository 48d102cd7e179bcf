import { optionsOf } from "../forms/inputs.ts";
import { type Failed, type FormState, formFor } from "../forms/state.ts";
import { useReadOnly } from "../kit/allowed.tsx";
import { Button } from "../kit/buttons.tsx";
import { Choices, Columns, Field, Fieldset, Group } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { Thumbnail } from "../kit/values.tsx";
import { type productInputs, readImageLines } from "./inputs.ts";

type FieldsProps = {
  form: FormState<keyof ReturnType<typeof productInputs>>;
  /** True if the stock is already managed, so that it changes by adjustments instead. */
  managed: boolean;
};

/** A product's fields. */
export const ProductFormFields = ({ form, managed }: FieldsProps) => (
  <>
    <Columns
      form={form}
      names={["name", "sku", "type", "status", "price", "compare_at_price", "category_id", "slug"]}
    />
    <Field form={form} name="description" />
    <Images form={form} />
    <Fieldset legend="Delivery, tax and stock">
      <Field form={form} name="requires_shipping" />
      <Field form={form} name="weight_grams" />
      <Field form={form} name="tax_class" />
      <Field form={form} name="manage_stock" />
      {!managed && <Field form={form} name="stock_quantity" />}
      <Field form={form} name="low_stock_threshold" />
    </Fieldset>
    <Downloads form={form} />
    <Field form={form} name="metadata" />
  </>
);

/** A product's images as lines of text. A script replaces them by a list to upload, sort and describe images. */
const Images = ({ form }: Pick<FieldsProps, "form">) => (
  <div data-images={useReadOnly() ? undefined : "/admin/images"}>
    <Field form={form} name="images" />
    <p class="thumbnails">
      {readImageLines(form.values.images?.[0]).map((image) => (
        <Thumbnail images={[image]} />
      ))}
    </p>
  </div>
);

const Downloads = ({ form }: Pick<FieldsProps, "form">) => (
  <Group form={form} name="file_ids">
    {[...optionsOf(form.inputs.file_ids)].length === 0 ? (
      <p class="muted">
        There are no files yet: <a href="/admin/files">upload one</a> first.
      </p>
    ) : (
      <Choices form={form} name="file_ids" />
    )}
    <Columns form={form} names={["download_limit", "download_days"]} />
  </Group>
);

/** Uploads one image without scripts and adds it after the others. */
export const ImageUpload = ({ action, failed }: { action: string; failed: Failed | null }) => {
  const form = formFor(failed, action, {
    inputs: { file: { as: "file", label: "Upload an image", hint: "Added after the other images.", required: true } },
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
