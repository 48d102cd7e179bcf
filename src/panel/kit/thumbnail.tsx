import { inWidth } from "../../catalogue/images/address.ts";

/** A product's first image beside its name, or an empty place. */
export const Thumbnail = ({ images: [image] }: { images: readonly { url: string }[] }) =>
  image ? (
    <img class="thumbnail" src={inWidth(image.url, 160)} alt="" width={40} height={40} loading="lazy" />
  ) : (
    <span class="thumbnail" />
  );
