import { env } from "cloudflare:workers";
import { auditLog, files, orphanedObjects, uploads } from "../../../src/platform/db/schema.ts";
import { everyMinute } from "../../../src/scheduled.ts";
import { call } from "../../support/call.ts";
import { storedKeys } from "../../support/objects.ts";
import { db } from "../../support/shop.ts";
import { aForm } from "../../support/uploads.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

type Sent = Parameters<typeof aForm>[1];

/** Uploads a file of these bytes with these fields. */
export const upload = (as: string, fields: Parameters<typeof aForm>[0] = {}, file: Sent = {}) =>
  call("POST /admin/files", { as, body: aForm({ access: "public", ...fields }, file) });

/** All stored data about files. A failed request must leave it unchanged. */
export const stored = async () => ({
  objects: await storedKeys(env.FILES),
  files: await db.select().from(files).all(),
  uploads: await db.select().from(uploads).all(),
  orphaned: await db.select().from(orphanedObjects).all(),
  entries: await db.$count(auditLog),
});

/** Runs the schedule as of a later time. */
export const later = (ms = 2 * DAY_MS) => everyMinute(env, Date.now() + ms);

export const RAW = { "Content-Type": "application/octet-stream" };
