import { Money } from "./money.tsx";

type Props = { lines: { name: string; quantity: number; amount: number }[]; total: number; currency: string };

export const Summary = ({ lines, total, currency }: Props) => (
  <>
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
    <div class="total">
      <span>Total</span>
      <Money amount={total} currency={currency} />
    </div>
  </>
);
