import { type Context, Hono } from "hono";
import { readMethodsOf, shippingMethodResource } from "../../checkout/shipping/methods.ts";
import { shippingZoneResource } from "../../checkout/shipping/zones.ts";
import { administer } from "../../platform/auth/gates.ts";
import { writeContextOf } from "../../platform/auth/write-context.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitRow } from "../forms/attempt.ts";
import { kindsOf } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import type { Failed } from "../forms/state.ts";
import { page } from "../page.tsx";
import { resourceActions } from "../resource-actions.ts";
import { methodInputs } from "./methods.tsx";
import { NewZonePage, SHIPPING_ZONES, ShippingPage, ZonePage, zoneInputs } from "./zone-pages.tsx";

export const shippingZonePages = new Hono<PanelEnv>()
  .get("/shipping-zones", administer("settings:read"), async (c) => {
    const { query } = readFilters(c, shippingZoneResource.schemas.query);
    const { rows: zones, totalItems, totalIsExact } = await shippingZoneResource.list(c.var.db, query, Date.now());
    const methods = await readMethodsOf(
      c.var.db,
      zones.map(({ id }) => id),
    );
    const { currency } = c.var.settings;
    const props = { zones, methods, currency, place: pageOf(query, totalItems, totalIsExact), url: c.req.url };
    return page(c, "Shipping", <ShippingPage {...props} />);
  })
  .get("/shipping-zones/new", administer("settings:write"), (c) => newPage(c, null))
  .post(
    "/shipping-zones/:id/methods",
    administer("settings:write"),
    submitRow(zonePage, async (c, id, sent) => {
      const method = sent.read(shippingMethodResource.schemas.new, { ...kindsOf(methodInputs), zone_id: () => id });
      const { name } = await shippingMethodResource.create(writeContextOf(c), method);
      return redirectWithFlash(c, `${SHIPPING_ZONES}/${id}`, `${name} was created.`);
    }),
  )
  .route(
    "/",
    resourceActions(shippingZoneResource, {
      kinds: kindsOf(zoneInputs),
      newPage,
      rowPage: zonePage,
      after: ({ id, name }, done) => {
        if (done === "created")
          return [`${SHIPPING_ZONES}/${id}`, `${name} was created. Add how things are sent there.`];
        return [SHIPPING_ZONES, `${done === "deleted" ? "The zone" : name} was ${done}.`];
      },
    }),
  );

function newPage(c: Context<PanelEnv>, failed: Failed | null) {
  return page(c, "New shipping zone", <NewZonePage failed={failed} />);
}

async function zonePage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const { db, settings } = c.var;
  const [zone, methods] = await Promise.all([shippingZoneResource.require(db, id), readMethodsOf(db, [id])]);
  const props = { zone, methods, currency: settings.currency, failed };
  return page(c, zone.name, <ZonePage {...props} />);
}
