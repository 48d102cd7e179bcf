/** A formatted amount, such as $1,234.50. */
export const Money = ({ amount, currency }: { amount: number; currency: string }) => (
  <span class="money">{new Intl.NumberFormat("en", { style: "currency", currency }).format(amount)}</span>
);
