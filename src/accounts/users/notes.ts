import { declareNotes } from "../../platform/administration/notes.ts";
import { userNotes } from "../../platform/db/schema.ts";
import { requireAccount } from "./admin.ts";

export const notesOnCustomers = declareNotes({
  notes: userNotes,
  subjectId: userNotes.userId,
  subject: "user",
  requireSubject: (db, id, scope) => requireAccount(db, { id, scope }),
  path: "/users",
  permission: "users",
  noun: "customer",
  summaries: { list: "List the notes on a customer", create: "Add a note to a customer" },
  description: "An internal note by staff on a customer, who cannot see it",
});
