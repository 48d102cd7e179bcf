import { Hono } from "hono";
import { IdParam } from "../../../domain/fields.ts";
import { writeRequestOf } from "../../../platform/administration/write-queries.ts";
import type { AppEnv } from "../../../platform/auth/app-env.ts";
import { administer } from "../../../platform/auth/gates.ts";
import { created, list, noContent } from "../../../platform/http/envelope.ts";
import { PageQuery, pageOf } from "../../../platform/http/pagination.ts";
import { answers, answersNothing, creates, lists } from "../../../platform/http/route-description.ts";
import { validate } from "../../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../../platform/http/version.ts";
import { idempotent } from "../../../platform/idempotency/header.ts";
import { once } from "../../../platform/idempotency/once.ts";
import { NewZone, toZone, Zone, ZoneChange } from "./admin-schemas.ts";
import { listZones } from "./queries.ts";
import { changeZone, createZone, removeZone, requireZone } from "./write.ts";

export const zonesAdmin = new Hono<AppEnv>()
  .get(
    "/shipping-zones",
    administer("settings:read"),
    validate("query", PageQuery),
    lists("listShippingZones", "List shipping zones", Zone),
    async (c) => {
      const query = c.req.valid("query");
      const { rows, totalItems, totalIsExact } = await listZones(c.var.db, query);
      return list(c, "Shipping zones", rows.map(toZone), pageOf(query, totalItems, totalIsExact));
    },
  )
  .post(
    "/shipping-zones",
    administer("settings:write"),
    idempotent,
    validate("json", NewZone),
    creates("createShippingZone", "Create a shipping zone", Zone),
    async (c) => {
      const sent = c.req.valid("json");
      const zone = await once(c, sent, (author) => createZone({ db: c.var.db, author }, sent));
      return created(c, `/api/v1/admin/shipping-zones/${zone.id}`, "Shipping zone created", toZone(zone));
    },
  )
  .get(
    "/shipping-zones/:id",
    administer("settings:read"),
    validate("param", IdParam),
    answers("getShippingZone", "Get a shipping zone", Zone, { headers: ["ETag"] }),
    async (c) => {
      const zone = await requireZone(c.var.db, c.req.valid("param").id);
      return versioned(c, "Shipping zone", zone, toZone(zone));
    },
  )
  .put(
    "/shipping-zones/:id",
    administer("settings:write"),
    validate("param", IdParam),
    validate("header", IfMatch),
    validate("json", ZoneChange),
    answers("updateShippingZone", "Update a shipping zone", Zone, { headers: ["ETag"] }),
    async (c) => {
      const request = writeRequestOf(c, c.req.valid("header"));
      const zone = await changeZone(request, c.req.valid("param").id, c.req.valid("json"));
      return versioned(c, "Shipping zone updated", zone, toZone(zone));
    },
  )
  .delete(
    "/shipping-zones/:id",
    administer("settings:write"),
    validate("param", IdParam),
    validate("header", IfMatch),
    answersNothing("deleteShippingZone", "Delete a shipping zone without methods", { refuses: [409] }),
    async (c) => {
      await removeZone(writeRequestOf(c, c.req.valid("header")), c.req.valid("param").id);
      return noContent(c);
    },
  );
