type Props = { amount: number; currency: string };

/** An amount such as $1,234.50. */
export const formatMoney = ({ amount, currency }: Props): string =>
  new Intl.NumberFormat("en", { style: "currency", currency }).format(amount);

export const Money = (props: Props) => <span class="money">{formatMoney(props)}</span>;
