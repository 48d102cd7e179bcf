import { Hono } from "hono";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { list } from "../../platform/http/envelope.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import { lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { readableTypes, readEvents, requireUnexpiredCursor } from "./events.ts";
import { Event, EventsQuery, toEvent } from "./schemas.ts";

export const eventsAdmin = new Hono<AppEnv>().get(
  "/events",
  administer("events:read"),
  validate("query", EventsQuery),
  lists("listEvents", "List events after a cursor", Event, {
    refuses: { 400: ["cursor_expired"] },
    description:
      "Returns what changed in the shop, oldest first. The link `last` is the cursor of the newest event. Types that the caller may not read are left out, and refused if `type` names no others: events of orders and shipments need `orders:read`.",
  }),
  async (c) => {
    const { after_id, type, subject, test, per_page } = c.req.valid("query");
    const { caller, db } = c.var;
    const found = await readEvents(db, {
      afterId: after_id,
      types: readableTypes(caller, type),
      subject,
      test,
      scope: accountScopeOf(caller),
      limit: per_page,
    });
    requireUnexpiredCursor(after_id, found.oldestId);
    const next = found.more ? { after_id: String(found.lastId) } : null;
    const page = pageOf({ page: 1, per_page }, found.rows.length, !found.more, next);
    const last = { after_id: String(found.newestId) };
    return list(c, "Events", { rows: found.rows, ...page, last }, toEvent);
  },
);
