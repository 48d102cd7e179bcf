import { toDecimal } from "../../src/domain/money.ts";

/**
 * An amount of as many minor units in the deployment's currency: 12.5 is 1250 in JPY, and 1.25 in KWD. Tests that run in every
 * currency write amounts as of one with two decimals.
 */
export const money = (amount: number): number => toDecimal(Math.round(amount * 100));
