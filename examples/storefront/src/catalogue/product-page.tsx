import type { Schema } from "@storefront-worker/api/client";
import { raw } from "hono/html";
import { duration } from "../checkout/shipping.tsx";
import { countryName } from "../parts/countries.ts";
import { Money } from "../parts/money.tsx";
import { Picture } from "../parts/picture.tsx";
import { Card } from "./card.tsx";
import { Choice } from "./choice.tsx";
import { Price } from "./price.tsx";
import type { Terms } from "./terms.ts";
import { Trail } from "./trail.tsx";

type Product = Schema["Product"];

/** Below this number, the page shows how many units are left. */
const FEW = 10;

type Props = {
  product: Schema["ProductDetail"];
  /** The chosen value of each option. */
  values: string[];
  /** Product to buy: the chosen variant, or a product without options. Undefined if no variant has these values. */
  chosen: Schema["ProductDetail"] | undefined;
  /** Other products in its category. */
  others: Product[];
  terms: Terms | null;
  isGuest: boolean;
};

export const ProductPage = ({ product, values, chosen, others, terms, isGuest }: Props) => {
  const { name, category, metadata } = product;
  const shown = chosen ?? product;
  return (
    <>
      <Trail path={category?.path ?? []} />
      {product.options.length > 0 && (
        <>
          {/* Shows a chosen variant in place. Without it, a button does. */}
          <script src="/product.js" type="module" />
          <p class="unseen" role="status" id="chosen" />
        </>
      )}
      <article class="product">
        <Pictures product={shown} />
        <div>
          <h1 dir="auto">{name}</h1>
          <Price of={shown} isLarge />
          <Buy product={product} values={values} chosen={chosen} isGuest={isGuest} />
          {terms && <DeliveryTerms terms={terms} currency={product.currency} />}
          {/* The API escapes it: paragraphs, lists, headings, links, bold and italic. */}
          <div class="text" dir="auto">
            {raw(shown.description_html)}
          </div>
          <Facts
            facts={{
              ...(shown.brand && { Brand: shown.brand }),
              ...(shown.condition !== "new" && { Condition: shown.condition === "used" ? "Used" : "Refurbished" }),
              ...metadata,
              ...shown.metadata,
              SKU: shown.sku,
            }}
          />
          <Files product={shown} />
          {product.tags.length > 0 && (
            <nav class="chips" aria-label="Tags">
              {product.tags.map((tag) => (
                <a href={`/?tag=${encodeURIComponent(tag)}`}>{tag}</a>
              ))}
            </nav>
          )}
        </div>
      </article>
      {category && others.length > 0 && (
        <section>
          <h2>More in {category.name}</h2>
          <ul class="shelf">
            {others.map((other) => (
              <Card product={other} isLazy />
            ))}
          </ul>
        </section>
      )}
    </>
  );
};

const whole = { sizes: "(max-width: 46rem) 100vw, 36rem", width: 800, height: 600 };

/** Several pictures form a strip that is swiped, or moved by the thumbnails below it. */
const Pictures = ({ product: { name, images } }: { product: Product }) =>
  images.length < 2 ? (
    <div class="pictures">
      <Picture image={images[0]} name={name} {...whole} loading="high" />
    </div>
  ) : (
    <div class="pictures">
      <ul class="strip">
        {images.map((image, index) => (
          <li id={`picture-${index + 1}`}>
            <a href={image.url} aria-label={`Enlarge picture ${index + 1}`}>
              <Picture image={image} name={name} {...whole} loading={index > 0 ? "lazy" : "high"} />
            </a>
          </li>
        ))}
      </ul>
      <ul class="thumbs">
        {images.map((image, index) => (
          <li>
            <a href={`#picture-${index + 1}`}>
              <Picture
                image={{ ...image, alt: `Picture ${index + 1}` }}
                name={name}
                sizes="4.5rem"
                width={72}
                height={54}
                loading="lazy"
              />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );

const DeliveryTerms = ({ terms: { country, delivery, returnDays }, currency }: { terms: Terms; currency: string }) => (
  <p class="quiet">
    {delivery && (
      <>
        Delivery to {countryName(country)}:{" "}
        {delivery.price === 0 ? "free" : <Money amount={delivery.price} currency={currency} />}
        {duration(delivery) && `, ${duration(delivery)}`}.{" "}
      </>
    )}
    Returns within {returnDays} days.
  </p>
);

const Buy = ({ product, values, chosen, isGuest }: Omit<Props, "others" | "terms">) => {
  const { id, category, options } = product;
  return (
    <form method="post" action="/cart" class="buy">
      <input type="hidden" name="product_id" value={id} />
      <Choice product={product} values={values} />
      {chosen?.in_stock ? (
        <Add product={chosen} isGuest={isGuest} />
      ) : (
        <p>
          <span class="status out stock">{chosen ? "Sold out" : "Not available in this combination"}</span>
        </p>
      )}
      {!chosen?.in_stock && options.length === 0 && category && (
        <p class="quiet">
          See other products in <a href={`/?category=${encodeURIComponent(category.slug)}`}>{category.name}</a>.
        </p>
      )}
      {options.length > 0 && (
        <button class="soft update" type="submit" formaction={`/products/${id}`} formmethod="get" formnovalidate>
          Show this choice
        </button>
      )}
    </form>
  );
};

const Add = ({ product: { stock_quantity: left, files }, isGuest }: { product: Product; isGuest: boolean }) => (
  <>
    <label>
      Quantity
      <input
        type="number"
        name="quantity"
        value="1"
        min="1"
        max={Math.min(left ?? 1000, 1000)}
        inputmode="numeric"
        required
      />
    </label>
    <button type="submit">Add to cart</button>
    {left !== null && (
      <p class={left < FEW ? "few stock" : "quiet stock"}>{left < FEW ? `Only ${left} left` : "In stock"}</p>
    )}
    {files.length > 0 && isGuest && <p class="quiet">We e-mail you the link to your downloads.</p>}
  </>
);

const Facts = ({ facts }: { facts: Record<string, string> }) => (
  <dl class="facts">
    {Object.entries(facts).map(([name, value]) => (
      <div>
        <dt>{name.replaceAll("_", " ")}</dt>
        <dd dir="auto">{value}</dd>
      </div>
    ))}
  </dl>
);

const Files = ({ product: { files } }: { product: Product }) =>
  files.length > 0 && (
    <>
      <h2>Included files</h2>
      <ul>
        {files.map((file) => (
          <li>{file.name}</li>
        ))}
      </ul>
    </>
  );
