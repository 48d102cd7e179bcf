import { type Context, Hono } from "hono";
import { readMethodsOf, shippingMethods } from "../../checkout/shipping/methods.ts";
import { shippingZones as resource } from "../../checkout/shipping/zones.ts";
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
import { LIST, NewZonePage, ShippingPage, ZonePage, zoneInputs } from "./zone-pages.tsx";

export const shippingZones = new Hono<PanelEnv>()
  .get("/shipping-zones", administer("settings:read"), async (c) => {
    const { query } = readFilters(c, resource.schemas.query);
    const { rows: zones, totalItems, totalIsExact } = await resource.list(c.var.db, query, Date.now());
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
      const method = sent.read(shippingMethods.schemas.new, { ...kindsOf(methodInputs), zone_id: () => id });
      const { name } = await shippingMethods.create(writeContextOf(c), method);
      return redirectWithFlash(c, `${LIST}/${id}`, `${name} was created.`);
    }),
  )
  .route(
    "/",
    resourceActions(resource, {
      kinds: kindsOf(zoneInputs),
      newPage,
      rowPage: zonePage,
      after: ({ id, name }, done) => {
        if (done === "created") return [`${LIST}/${id}`, `${name} was created. Add how things are sent there.`];
        return [LIST, `${done === "deleted" ? "The zone" : name} was ${done}.`];
      },
    }),
  );

function newPage(c: Context<PanelEnv>, failed: Failed | null) {
  return page(c, "New shipping zone", <NewZonePage failed={failed} />);
}

async function zonePage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const { db, settings } = c.var;
  const [zone, methods] = await Promise.all([resource.require(db, id), readMethodsOf(db, [id])]);
  const props = { zone, methods, currency: settings.currency, failed };
  return page(c, zone.name, <ZonePage {...props} />);
}
