import * as z from "zod";
import type { users } from "../db/schema.ts";
import { line } from "../domain/fields.ts";
import { Metadata } from "../domain/metadata.ts";

// What an account says of its owner beside name and e-mail address: sent at sign-up or later, by them or by the shop.

/** As people write it, with or without the country: 5 to 15 digits, as E.164 has at most. */
const Phone = z
  .string()
  .trim()
  .max(40)
  .regex(/^\+?([ ()./-]*[0-9]){5,15}[ ()./-]*$/, "must be a phone number, such as +44 117 496 0123");

/** As it is sent. Null takes away what was there. */
export const contactFields = {
  phone: Phone.nullable(),
  company: line(200).nullable(),
  accepts_marketing: z.boolean().describe("Whether they agreed to hear of offers"),
  metadata: Metadata,
};

type Sent = { [Name in keyof typeof contactFields]?: z.output<(typeof contactFields)[Name]> | undefined };

type ContactRow = Pick<typeof users.$inferSelect, "phone" | "company" | "acceptsMarketing" | "metadata">;

/** The columns of what was sent; those of fields that were not are undefined. */
export const toContactColumns = (sent: Sent): { [Name in keyof ContactRow]: ContactRow[Name] | undefined } => ({
  phone: sent.phone,
  company: sent.company,
  acceptsMarketing: sent.accepts_marketing,
  metadata: sent.metadata,
});

/** On the wire. */
export const Contact = z.object({
  phone: z.string().nullable(),
  company: z.string().nullable(),
  accepts_marketing: z.boolean(),
  metadata: z.record(z.string(), z.string()),
});

export const toContact = (row: ContactRow): z.output<typeof Contact> => ({
  phone: row.phone,
  company: row.company,
  accepts_marketing: row.acceptsMarketing,
  metadata: row.metadata,
});

/** The contact of an account that has none yet. */
export const NO_CONTACT: ContactRow = { phone: null, company: null, acceptsMarketing: false, metadata: {} };
