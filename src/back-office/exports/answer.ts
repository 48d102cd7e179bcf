import { insertEntry } from "../../platform/audit/audit.ts";
import { authorOf } from "../../platform/auth/author.ts";
import { type ApiKeyCaller, accountScopeOf, type UserCaller } from "../../platform/auth/caller.ts";
import { requireFresh } from "../../platform/auth/reauthentication.ts";
import type { Database } from "../../platform/db/client.ts";
import { logFault } from "../../platform/http/log.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { type ExportFormat, exported, type Source } from "./stream.ts";
import type { Reading } from "./walk.ts";

/** The part of a Context that an export needs. */
type Exporting = {
  req: { url: string; raw: Request };
  var: { db: Database; caller: ApiKeyCaller | UserCaller; settings: Settings; requestId: string };
};

/** The only shop. */
const SHOP = 1;

/** Lists that hold no personal data: whoever exports any other shows a password or code again. */
const IMPERSONAL = new Set(["products", "files"]);

/** Answers a list as a file, once the audit log says who took it. */
export async function answerExport(
  c: Exporting,
  name: string,
  format: ExportFormat,
  source: (reading: Reading) => Source,
): Promise<Response> {
  const { db, caller, settings, requestId } = c.var;
  const author = authorOf(c);
  if (!IMPERSONAL.has(name)) requireFresh(author);
  const url = new URL(c.req.url);
  const filters = Object.fromEntries([...url.searchParams].filter(([filter]) => filter !== "search"));
  const entry = { subject: "shop", action: "export", before: null, after: { list: name, format, ...filters } } as const;
  await insertEntry(db, author, entry, SHOP);
  const reading = { db, scope: accountScopeOf(caller), currency: settings.currency, origin: url.origin };
  return exported(name, format, source(reading), (error) =>
    logFault("An export broke off", error, { request_id: requestId }),
  );
}
