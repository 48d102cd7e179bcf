import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { purgeResponses } from "../../src/platform/catalogue-cache/responses.ts";
import { auditLog } from "../../src/platform/db/schema.ts";
import { anAdmin } from "../support/administration.ts";
import { call, callWith, ORIGIN } from "../support/call.ts";
import { oncePerFile, shared } from "../support/callers.ts";
import { counted } from "../support/counting.ts";
import { aProduct, aUser, db } from "../support/shop.ts";
import { adminEndpoints } from "./endpoints/index.ts";

// The endpoints are compared with the router's in matrix.test.ts, so this test covers new writes too.

const aShopper = shared(() => aUser());

const writes = Object.entries(adminEndpoints).filter(([line]) => !line.startsWith("GET "));

/** An upload is one write made of several requests. The request that completes it is recorded in the audit log. */
const steps = ["POST /uploads", "PUT /uploads/:id/parts/:number", "DELETE /uploads/:id"];

/** Routes that take a body but write nothing. The subscription of the endpoint has ended, so it is not cancelled again. */
const questions = ["POST /orders/quote", "POST /orders/:id/edits/quote", "POST /subscriptions/:id/cancel"];

/** The job is one change, and each row that it changes is another. */
const bulk = [
  "POST /products/batch",
  "POST /products/bulk-actions",
  "POST /users/bulk-actions",
  "POST /orders/bulk-actions",
];

/** Writes that take more round trips to the database than one to read and one to write. */
const roundTrips: Record<string, number> = {
  "DELETE /uploads/:id": 3,
  "POST /draft-orders/:id/send": 3,
  "POST /files": 3,
  "POST /files/:id/versions": 3,
  "POST /jobs/:id/undo": 3,
  "POST /orders": 3,
  "POST /orders/:id/edits": 3,
  "POST /returns/:id/settle": 3,
  "POST /webhooks/:id/replay": 3,
  "PUT /draft-orders/:id": 3,
  "PUT /files/:id": 3,
  "PUT /license-keys/:id": 3,
  "PUT /payment-settings": 3,
  "PUT /webhooks/:id": 3,
  "POST /draft-orders/:id/place": 4,
  "POST /gift-cards": 4,
  "PUT /users/:id": 4,
  "POST /orders/bulk-actions": 5,
  "POST /products/:id/variants": 5,
  "PUT /payment-accounts/paypal": 5,
  "PUT /payment-accounts/stripe": 5,
  "POST /orders/:id/invoices": 6,
  "POST /products/bulk-actions": 6,
  "POST /users/bulk-actions": 6,
  "POST /products/batch": 9,
};

const aDownload = oncePerFile(() => aProduct({ type: "digital" }));

/** Lets a product grant the newest file, so that changing the file also changes the catalogue. */
async function grantNewestFile() {
  const { id } = await aDownload();
  await db.run(sql`INSERT OR IGNORE INTO product_files (product_id, file_id, inherited)
    SELECT ${id}, max(id), 0 FROM files HAVING max(id) IS NOT NULL`);
}

describe.each(writes)("%s", (line, { status, request }) => {
  const entries = [...steps, ...questions].includes(line) ? 0 : bulk.includes(line) ? 2 : 1;

  it(`leaves ${entries} entries in the audit log and a fresh catalogue`, async () => {
    const [admin, shopper] = [await anAdmin(), await aShopper()];
    const { path, ...sent } = await request(admin.id);
    await grantNewestFile();
    const catalogue = async (headers: Record<string, string> = {}) => {
      const answers = ["/products?per_page=100", "/categories?per_page=100"].map((list) =>
        call(`GET ${list}`, { as: shopper.token, headers }),
      );
      return (await Promise.all(answers)).map(({ body }) => body.data);
    };
    await purgeResponses(ORIGIN, Date.now() - 1);
    await catalogue({ "x-d1-bookmark": "" });
    const before = await db.$count(auditLog, eq(auditLog.actor, `user:${admin.id}`));
    const { bindings, trips } = counted();
    const written = await callWith(bindings, `${line.split(" ")[0]} /admin${path}`, { as: admin.token, ...sent });
    expect(written.status, JSON.stringify(written.body)).toBe(status);
    expect(trips.d1).toBeLessThanOrEqual(roundTrips[line] ?? 2);
    expect(await db.$count(auditLog, eq(auditLog.actor, `user:${admin.id}`))).toBe(before + entries);
    expect(await catalogue({ "x-d1-bookmark": "" })).toEqual(await catalogue());
  });
});
