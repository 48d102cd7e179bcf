import { type Context, Hono } from "hono";
import { NewMethod } from "../../checkout/shipping/methods/admin-schemas.ts";
import { readMethodsOf } from "../../checkout/shipping/methods/queries.ts";
import { createMethod } from "../../checkout/shipping/methods/write.ts";
import { NewZone, ZoneChange } from "../../checkout/shipping/zones/admin-schemas.ts";
import { listZones } from "../../checkout/shipping/zones/queries.ts";
import { changeZone, createZone, removeZone, requireZone } from "../../checkout/shipping/zones/write.ts";
import { IdParam } from "../../domain/fields.ts";
import { writeRequestOf } from "../../platform/administration/write-queries.ts";
import { administer } from "../../platform/auth/gates.ts";
import { PageQuery, pageOf } from "../../platform/http/pagination.ts";
import { validate } from "../../platform/http/validate.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import { readFilters } from "../forms/read-filters.ts";
import type { Failed } from "../forms/state.ts";
import { page } from "../page.tsx";
import { ShippingPage } from "./list-page.tsx";
import { methodKinds } from "./method-form.tsx";
import { zoneKinds } from "./zone-form.tsx";
import { LIST, NewZonePage, ZonePage } from "./zone-page.tsx";

export const shippingZones = new Hono<PanelEnv>()
  .get("/shipping-zones", administer("settings:read"), async (c) => {
    const { query } = readFilters(c, PageQuery);
    const { rows: zones, totalItems, totalIsExact } = await listZones(c.var.db, query);
    const methods = await readMethodsOf(
      c.var.db,
      zones.map(({ id }) => id),
    );
    const { currency } = c.var.settings;
    const props = { zones, methods, currency, place: pageOf(query, totalItems, totalIsExact), url: c.req.url };
    return page(c, "Shipping", <ShippingPage {...props} />);
  })
  .post("/shipping-zones", administer("settings:write"), (c) =>
    submit(
      c,
      (failed) => newPage(c, failed),
      async (sent) => {
        const zone = await createZone(writeRequestOf(c, sent.ifMatch), sent.read(NewZone, zoneKinds));
        return redirectWithFlash(c, `${LIST}/${zone.id}`, `${zone.name} was created. Add how things are sent there.`);
      },
    ),
  )
  .get("/shipping-zones/new", administer("settings:write"), (c) => newPage(c, null))
  .get("/shipping-zones/:id", administer("settings:read"), validate("param", IdParam), (c) =>
    zonePage(c, c.req.valid("param").id, null),
  )
  .post("/shipping-zones/:id", administer("settings:write"), validate("param", IdParam), (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => zonePage(c, id, failed),
      async (sent) => {
        const change = sent.readChange(ZoneChange, zoneKinds);
        const { name } = await changeZone(writeRequestOf(c, sent.ifMatch), id, change);
        return redirectWithFlash(c, LIST, `${name} was saved.`);
      },
    );
  })
  .post("/shipping-zones/:id/methods", administer("settings:write"), validate("param", IdParam), (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => zonePage(c, id, failed),
      async (sent) => {
        const method = sent.read(NewMethod, { ...methodKinds, zone_id: () => id });
        const { name } = await createMethod(writeRequestOf(c, sent.ifMatch), method);
        return redirectWithFlash(c, `${LIST}/${id}`, `${name} was created.`);
      },
    );
  })
  .post("/shipping-zones/:id/delete", administer("settings:write"), validate("param", IdParam), (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => zonePage(c, id, failed),
      async (sent) => {
        await removeZone(writeRequestOf(c, sent.ifMatch), id);
        return redirectWithFlash(c, LIST, "The zone was deleted.");
      },
    );
  });

const newPage = (c: Context<PanelEnv>, failed: Failed | null) =>
  page(c, "New shipping zone", <NewZonePage failed={failed} />);

async function zonePage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const { db, settings } = c.var;
  const [zone, methods] = await Promise.all([requireZone(db, id), readMethodsOf(db, [id])]);
  const props = { zone, methods, currency: settings.currency, failed };
  return page(c, zone.name, <ZonePage {...props} />);
}
