import * as z from "zod";
import { unlessMissing } from "./http/fields.ts";

/** Of one product in one line, of a cart or an order. */
export const MAX_QUANTITY = 1_000;

/** Lines of a cart, and of an order. */
export const MAX_LINES = 100;

export const Quantity = z.int(unlessMissing("must be a whole number")).min(1).max(MAX_QUANTITY);
