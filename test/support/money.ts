import { toDecimal } from "../../src/domain/money.ts";

/**
 * Converts an amount with two decimals to the same number of minor units in the deployment's currency: 12.5 is 1250 in
 * JPY, and 1.25 in KWD. Tests that run in every currency write amounts as if it had two decimals.
 */
export const money = (amount: number): number => toDecimal(Math.round(amount * 100));
