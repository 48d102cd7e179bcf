// Amounts are integers and not negative; products of two of them may be larger than a double counts exactly.

/** amount × numerator ÷ denominator, rounded half away from zero. */
export function scaled(amount: number, numerator: number, denominator: number): number {
  const [a, n, d] = [BigInt(amount), BigInt(numerator), BigInt(denominator)];
  return Number((2n * a * n + d) / (2n * d));
}

/**
 * The amount in parts by their weights, each rounded down, and what is left of it one each to those that lost the largest
 * fractions, the first of equals. Without any weight the first part is all of it.
 */
export function distribute(amount: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + BigInt(weight), 0n);
  if (sum === 0n) return weights.map((_, index) => (index === 0 ? amount : 0));
  const shares = weights.map((weight, index) => {
    const exact = BigInt(amount) * BigInt(weight);
    return { index, whole: Number(exact / sum), fraction: exact % sum };
  });
  const left = amount - shares.reduce((total, { whole }) => total + whole, 0);
  const parts = shares.map(({ whole }) => whole);
  const first = shares.toSorted((a, b) => (a.fraction < b.fraction ? 1 : a.fraction > b.fraction ? -1 : 0));
  for (const { index } of first.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
