// Amounts are integers and not negative; products of two of them may be larger than a double counts exactly. A `unit` is the
// least amount that the currency has: 1, or 100 where it has no decimals.

/** amount × numerator ÷ denominator, rounded half away from zero to whole units. */
export function scaled(amount: number, numerator: number, denominator: number, unit = 1): number {
  const [a, n, d] = [BigInt(amount), BigInt(numerator), BigInt(denominator) * BigInt(unit)];
  return Number((2n * a * n + d) / (2n * d)) * unit;
}

/**
 * The amount in parts by their weights, each rounded down to whole units, and what is left of it a unit each to those that lost
 * the largest fractions, the first of equals. Without any weight the first part is all of it.
 */
export function distribute(amount: number, weights: readonly number[], unit = 1): number[] {
  const sum = weights.reduce((total, weight) => total + BigInt(weight), 0n);
  if (sum === 0n) return weights.map((_, index) => (index === 0 ? amount : 0));
  const part = sum * BigInt(unit);
  const shares = weights.map((weight, index) => {
    const exact = BigInt(amount) * BigInt(weight);
    return { index, whole: Number(exact / part) * unit, fraction: exact % part };
  });
  let left = amount - shares.reduce((total, { whole }) => total + whole, 0);
  const parts = shares.map(({ whole }) => whole);
  for (const { index } of shares.toSorted((a, b) => (a.fraction < b.fraction ? 1 : a.fraction > b.fraction ? -1 : 0))) {
    const more = Math.min(left, unit);
    parts[index] = (parts[index] ?? 0) + more;
    left -= more;
  }
  return parts;
}

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
