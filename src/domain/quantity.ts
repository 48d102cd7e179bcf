import * as z from "zod";
import { unlessMissing } from "./fields.ts";

/** The greatest quantity of one line of a cart or an order. */
export const MAX_QUANTITY = 1_000;

/** Lines of a cart, and of an order. */
export const MAX_LINES = 100;

const words = `must be a whole number from 1 to ${MAX_QUANTITY}`;

export const Quantity = z.int(unlessMissing(words)).min(1, words).max(MAX_QUANTITY, words);
