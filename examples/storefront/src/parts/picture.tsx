import { Blank } from "./blank.tsx";

/** Widths in which the API serves uploaded images. */
const WIDTHS = [160, 320, 640, 1280];

const isUploaded = (url: string): boolean => /\/images\/[0-9a-f]{64}\.[a-z]+$/.test(url);

const widthsOf = (url: string): string => WIDTHS.map((width) => `${url}?width=${width} ${width}w`).join(", ");

type Props = {
  image: { url: string; alt: string } | undefined;
  /** The product, whose initials replace a missing image. */
  name: string;
  sizes: string;
  width: number;
  height: number;
  /** "high" for the main picture of a page, "lazy" for those below the window. */
  loading?: "high" | "lazy";
};

/** A product image in the displayed width, or a placeholder. */
export const Picture = ({ image, name, sizes, width, height, loading }: Props) =>
  image ? (
    <img
      src={image.url}
      {...(isUploaded(image.url) && { srcset: widthsOf(image.url), sizes })}
      alt={image.alt}
      width={width}
      height={height}
      loading={loading === "lazy" ? "lazy" : undefined}
      fetchpriority={loading === "high" ? "high" : undefined}
    />
  ) : (
    <Blank name={name} />
  );
