import { imagePath, inWidth } from "../../catalogue/images/address.ts";
import type { ImageRow } from "../../catalogue/images/images.ts";
import { DescriptionList } from "../kit/description-list.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { formatBytes } from "../kit/units.ts";
import { When } from "../kit/when.tsx";

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
