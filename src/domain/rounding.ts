// Amounts are non-negative integers. The product of two may exceed what a double represents exactly.

/** Returns amount × numerator ÷ denominator, rounded half away from zero. */
export function scaled(amount: number, numerator: number, denominator: number): number {
  const [a, n, d] = [BigInt(amount), BigInt(numerator), BigInt(denominator)];
  return Number((2n * a * n + d) / (2n * d));
}

/**
 * Divides an amount by weights. Each part is rounded down, and the remainder goes in units of one to the parts with the
 * largest fractions, the first among equals. If all weights are zero, the first part gets everything.
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
