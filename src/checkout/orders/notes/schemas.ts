import * as z from "zod";
import { iso, Text, Timestamp } from "../../../domain/fields.ts";
import type { orderNotes } from "../../../platform/db/schema.ts";

export type NoteRow = typeof orderNotes.$inferSelect;

export const NewOrderNote = z
  .strictObject({ text: Text.trim().min(1, "must not be empty").max(2_000) })
  .meta({ id: "NewOrderNote" });
export type NewOrderNote = z.output<typeof NewOrderNote>;

export const OrderNote = z
  .object({
    id: z.int(),
    text: z.string(),
    author: z.string().describe("Author of the note, such as user:7"),
    created_at: Timestamp,
  })
  .meta({ id: "OrderNote", description: "An internal note of staff on an order. Buyers cannot read it" });

export const toOrderNote = ({ id, text, author, createdAt }: NoteRow): z.output<typeof OrderNote> => ({
  id,
  text,
  author,
  created_at: iso(createdAt),
});
