import { declareNotes } from "../../platform/administration/notes.ts";
import { orderNotes } from "../../platform/db/schema.ts";
import { requireOrder } from "./update.ts";

export const notesOnOrders = declareNotes({
  notes: orderNotes,
  subjectId: orderNotes.orderId,
  subject: "order",
  requireSubject: requireOrder,
  path: "/orders",
  permission: "orders",
  noun: "order",
  summaries: { list: "List the notes of an order", create: "Add a note to an order" },
  description: "An internal note by staff on an order. Buyers cannot see it",
});
