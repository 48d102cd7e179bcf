import * as z from "zod";
import { documented } from "./fields.ts";

/** Stored in lower case, so that no two accounts differ only in case. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email())
  .meta(documented({ type: "string", format: "email", maxLength: 254 }));
