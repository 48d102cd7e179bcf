import * as z from "zod";

/** As people write it, with or without the country: 5 to 15 digits, as E.164 has at most. */
export const Phone = z
  .string()
  .trim()
  .max(40)
  .regex(/^\+?([ ()./-]*[0-9]){5,15}[ ()./-]*$/, "must be a phone number, such as +44 117 496 0123");
