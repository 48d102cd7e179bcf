import { imagePath, inWidth } from "../../catalogue/images/address.ts";
import type { ImageRow } from "../../catalogue/images/images.ts";
import { type Failed, type FormState, formFor } from "../forms/state.ts";
import { Button } from "../kit/buttons.tsx";
import { DescriptionList } from "../kit/description-list.tsx";
import { Field, Textarea } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { useReadOnly } from "../kit/read-only.tsx";
import { Thumbnail } from "../kit/thumbnail.tsx";
import { formatBytes } from "../kit/units.ts";
import { When } from "../kit/when.tsx";
import { readImageLines } from "./kinds.ts";

/** A product's images as lines of text. A script replaces them by a list to upload, sort and describe images. */
export const Images = ({ form }: { form: FormState }) => (
  <div data-images={useReadOnly() ? undefined : "/admin/images"}>
    <Textarea
      form={form}
      name="images"
      label="Images"
      rows={3}
      hint="The first image is shown in lists. One per line: the address, a space, and a description."
    />
    <p class="thumbnails">
      {readImageLines(form.values.images?.[0]).map((image) => (
        <Thumbnail images={[image]} />
      ))}
    </p>
  </div>
);

/** Uploads one image without scripts and adds it after the others. */
export const ImageUpload = ({ action, failed }: { action: string; failed: Failed | null }) => {
  const form = formFor(failed, action);
  return (
    <noscript>
      <div class="card">
        <Form form={form} multipart needs="products:write">
          <Field
            type="file"
            form={form}
            name="file"
            label="Upload an image"
            hint="Added after the other images."
            required
          />
          <Button>Upload</Button>
        </Form>
      </div>
    </noscript>
  );
};

/** An uploaded image, linked from the audit log. */
export const ImagePage = ({ image }: { image: ImageRow }) => (
  <>
    <PageHeader title={`Image ${image.id}`} back={{ path: "/admin/products", name: "Products" }} />
    <section class="card">
      <a href={imagePath(image)} target="_blank" rel="noreferrer">
        <img class="picture" src={inWidth(imagePath(image), 640)} alt="As uploaded" />
      </a>
      <DescriptionList
        facts={{
          Type: image.mimeType,
          Pixels: `${image.width} × ${image.height}`,
          Size: formatBytes(image.sizeBytes),
          Uploaded: <When at={image.createdAt} />,
        }}
      />
    </section>
  </>
);
