import { FormCard } from "../parts/form-card.tsx";
import { Money } from "../parts/money.tsx";
import type { ShownOrder } from "./order-links.ts";

type Props = { order: ShownOrder; orderPath: string; url: string };

/** The browser is redirected automatically. The link is for browsers that ignore the redirect. */
export const PayPage = ({ order: { number, total, currency }, orderPath, url }: Props) => (
  <FormCard title="On to the payment" sign="lock">
    <p>
      Your order is placed and reserved while you pay. You are being taken to <strong>{new URL(url).host}</strong>.
    </p>
    <ul class="summary">
      <li>
        <span>Order</span>
        <span class="whole">{number}</span>
      </li>
    </ul>
    <div class="total">
      <span>To pay</span>
      <Money amount={total} currency={currency} />
    </div>
    <a class="button wide" href={url}>
      Continue to the payment
    </a>
    <p class="onward">
      <a href={orderPath}>Pay later</a>
    </p>
  </FormCard>
);
