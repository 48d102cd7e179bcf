import * as z from "zod";
import { emailStates } from "../db/schema.ts";
import { pageFields } from "../http/pagination.ts";

export const EmailsQuery = z.strictObject({ ...pageFields, state: z.enum(emailStates).optional() });
export type EmailsQuery = z.output<typeof EmailsQuery>;
