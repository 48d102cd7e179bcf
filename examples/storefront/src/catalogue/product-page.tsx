import type { Schema } from "storefront/client";
import { Money } from "../parts/money.tsx";
import { Picture } from "../parts/picture.tsx";

type Product = Schema["Product"];

/** Below this number the page says how many units are left. */
const FEW = 10;

export const ProductPage = ({ product, isGuest }: { product: Product; isGuest: boolean }) => {
  const { name, images, description, category, price, compare_at_price, currency, files } = product;
  return (
    <article class="product">
      <Picture image={images[0]} sizes="(max-width: 50rem) 100vw, 40rem" width={800} height={600} />
      <div>
        {category && (
          <p class="quiet">
            <a href={`/?category=${encodeURIComponent(category.slug)}`}>{category.name}</a>
          </p>
        )}
        <h1>{name}</h1>
        <p class="price large">
          <Money amount={price} currency={currency} />
          {compare_at_price !== null && (
            <s>
              <span class="unseen">before: </span>
              <Money amount={compare_at_price} currency={currency} />
            </s>
          )}
        </p>
        <p>{description}</p>
        <Facts product={product} />
        {files.length > 0 && (
          <>
            <h2>Included files</h2>
            <ul>
              {files.map((file) => (
                <li>{file.name}</li>
              ))}
            </ul>
            {isGuest && <p class="quiet">You need an account to order this, because your downloads are kept there.</p>}
          </>
        )}
        <Buy product={product} />
      </div>
    </article>
  );
};

const Facts = ({ product: { metadata } }: { product: Product }) => {
  const facts = Object.entries(metadata);
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div>
          <dt>{name.replaceAll("_", " ")}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

const Buy = ({ product: { id, in_stock, stock_quantity: left } }: { product: Product }) =>
  in_stock ? (
    <form method="post" action="/cart" class="buy">
      <input type="hidden" name="product_id" value={id} />
      <label>
        Quantity
        <input type="number" name="quantity" value="1" min="1" max={Math.min(left ?? 1000, 1000)} required />
      </label>
      <button type="submit">Add to cart</button>
      {left !== null && left < FEW && <p class="quiet">Only {left} left</p>}
    </form>
  ) : (
    <p class="panel">Currently sold out.</p>
  );
