import type { Schema } from "@storefront-worker/api/client";
import { Picture } from "../parts/picture.tsx";
import { Price } from "./price.tsx";

type Props = { product: Schema["Product"]; withCategory?: boolean; isLazy?: boolean };

/** A product in a list. */
export const Card = ({ product, withCategory = false, isLazy = false }: Props) => {
  const { id, name, images, category, in_stock } = product;
  return (
    <li class={in_stock ? "card" : "card sold-out"}>
      <a href={`/products/${id}`}>
        <Picture
          image={images[0] && { ...images[0], alt: "" }}
          name={name}
          sizes="(max-width: 46rem) 45vw, 17rem"
          width={400}
          height={300}
          {...(isLazy && { loading: "lazy" })}
        />
        <strong dir="auto">{name}</strong>
      </a>
      {withCategory && category && <span class="quiet">{category.name}</span>}
      <Price of={product} />
      {!in_stock && <span class="status out over">Sold out</span>}
    </li>
  );
};
