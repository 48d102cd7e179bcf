import { Hono } from "hono";
import { requireFound } from "../../domain/errors.ts";
import { IdParam, Nothing } from "../../domain/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administrators } from "../../platform/auth/gates.ts";
import { sendInBackground } from "../../platform/email/send.ts";
import { ok } from "../../platform/http/envelope.ts";
import { answers } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { eraseCustomer, keepCustomer } from "./erasure.ts";
import { exportCustomer } from "./export.ts";
import { Erasure, PersonalDataExport, toErasure, toExport } from "./schemas.ts";

const undoOf = (id: number) => `POST /api/v1/admin/users/${id}/restore, or the customer signs in and restores it`;

export const personalDataAdmin = new Hono<AppEnv>()
  .get(
    "/users/:id/export",
    administrators,
    validate("param", IdParam),
    answers("exportCustomer", "Export the personal data of a customer", PersonalDataExport),
    async (c) => {
      const { id } = c.req.valid("param");
      const data = await requireFound(exportCustomer(writeContextOf(c), id), `User ${id}`);
      return ok(c, "Personal data", toExport(data, c.var.settings.currency, Date.now()));
    },
  )
  .delete(
    "/users/:id",
    administrators,
    validate("param", IdParam),
    answers("deleteCustomer", "Schedule the erasure of a customer", Erasure, {
      refuses: { 409: ["account_erased", "orders_open", "staff_cannot_be_erased", "wallet_not_empty"] },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { eraseAt } = await eraseCustomer(writeContextOf(c), id);
      sendInBackground(c);
      return ok(c, "The account will be erased", toErasure(eraseAt, undoOf(id)));
    },
  )
  .post(
    "/users/:id/restore",
    administrators,
    validateAll({ param: IdParam, json: Nothing }),
    answers("restoreCustomer", "Cancel the erasure of a customer", Erasure, { refuses: { 409: ["account_erased"] } }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { eraseAt } = await keepCustomer(writeContextOf(c), id);
      return ok(c, "The account is kept", toErasure(eraseAt, undoOf(id)));
    },
  );
