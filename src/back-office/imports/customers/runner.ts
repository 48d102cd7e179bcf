import type { Runner, Work } from "../../../platform/jobs/run-slice.ts";
import { readSettings } from "../../../platform/settings/settings.ts";
import { planReadable } from "../planned.ts";
import type { ImportRecord } from "../reading/record.ts";
import { dryRun, slicesOf } from "../slices.ts";
import { findKnownCustomers, planCustomers, toCustomerRecord } from "./plan.ts";
import { undoCustomers, writeCustomers } from "./write.ts";

const planRecords = ({ env, db, author }: Work, records: ImportRecord[]) =>
  planReadable(records.map(toCustomerRecord), async (readable) =>
    planCustomers(readable, await findKnownCustomers(db, readable), readSettings(env), author),
  );

/** Reports what an import of customers would do. */
export const checkCustomers: Runner = dryRun(planRecords);

/** Writes the customers of an import. */
export const importCustomers: Runner = {
  limit: 100,
  slice: slicesOf(planRecords, writeCustomers),
  undo: undoCustomers,
  refusals: {
    email_reserved: { field: "email", code: "email_taken", message: "is kept for another account for some days" },
    "users.email": { field: "email", code: "email_taken", message: "belongs to another account" },
    "users.external_id": {
      field: "external_id",
      code: "external_id_taken",
      message: "belongs to another account",
    },
    "FOREIGN KEY": { code: "in_use", message: "is in use and stays" },
  },
};
