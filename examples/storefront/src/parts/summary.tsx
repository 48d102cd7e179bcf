import { Money } from "./money.tsx";

type Props = { lines: { name: string; quantity: number; amount: number }[]; currency: string };

export const Summary = ({ lines, currency }: Props) => (
  <ul class="summary">
    {lines.map(({ name, quantity, amount }) => (
      <li>
        <span>
          {quantity} × {name}
        </span>
        <Money amount={amount} currency={currency} />
      </li>
    ))}
  </ul>
);
