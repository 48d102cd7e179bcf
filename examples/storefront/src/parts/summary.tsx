import { Blank } from "./blank.tsx";
import { Money } from "./money.tsx";

type Line = {
  name: string;
  /** Smaller text below the name. */
  details?: string[];
  quantity: number;
  amount: number;
  /** URL of a picture. Undefined if the lines have none, null if this one lacks it. */
  image?: string | null;
};

export const Summary = ({ lines, currency }: { lines: Line[]; currency: string }) => (
  <ul class="summary">
    {lines.map(({ name, details = [], quantity, amount, image }) => (
      <li>
        {image && <img src={image} alt="" width="64" height="48" loading="lazy" />}
        {image === null && <Blank name={name} />}
        <span class="named">
          {quantity} × <bdi>{name}</bdi>
          {details.filter(Boolean).map((detail) => (
            <span class="quiet">{detail}</span>
          ))}
        </span>
        <Money amount={amount} currency={currency} />
      </li>
    ))}
  </ul>
);
