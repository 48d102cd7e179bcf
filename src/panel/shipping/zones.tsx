import type { Context } from "hono";
import {
  type MethodRow,
  methodFields,
  readMethodsOf,
  shippingMethodResource,
} from "../../checkout/shipping/methods.ts";
import { shippingZoneResource, type ZoneRow, zoneFields } from "../../checkout/shipping/zones.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { etagOf } from "../../platform/http/version.ts";
import { inputsOf, kindsOf, valuesOf } from "../forms/conversion.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { Allowed } from "../kit/allowed.tsx";
import { placesOf } from "../kit/countries.ts";
import { AllFields } from "../kit/fields.tsx";
import { LinkButton } from "../kit/form.tsx";
import { Pagination } from "../kit/listing.tsx";
import { EmptyState, FormCard, NewPage, PageHeader, RowHeader } from "../kit/page-parts.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { recordPages } from "../record-pages.ts";
import { resourceForms } from "../resource-pages.tsx";
import { SetUpLink } from "../set-up/routes.tsx";
import { MethodTable, methodInputs } from "./methods.tsx";

const SHIPPING_ZONES = "/admin/shipping-zones";
const back = { path: SHIPPING_ZONES, name: "Shipping" };

const zoneInputs = inputsOf(zoneFields);

const zoneForms = resourceForms(shippingZoneResource, {
  kinds: kindsOf(zoneInputs),
  after: ({ id, name }, done) => {
    if (done === "created") return [`${SHIPPING_ZONES}/${id}`, `${name} was created. Add how things are sent there.`];
    return [SHIPPING_ZONES, `${done === "deleted" ? "The zone" : name} was ${done}.`];
  },
});

export const shippingZonePages = recordPages("/shipping-zones", {
  ...zoneForms,
  listPage,
  newPage,
  rowPage: zonePage,
  forms: {
    ...zoneForms.forms,
    "/methods": async (c, id, sent) => {
      const method = sent.read(shippingMethodResource.schemas.new, { ...kindsOf(methodInputs), zone_id: () => id });
      const { name } = await shippingMethodResource.create(writeContextOf(c), method);
      return `${name} was created.`;
    },
  },
});

async function listPage(c: Context<PanelEnv>) {
  const { query } = readFilters(c, shippingZoneResource.schemas.query);
  const { rows: zones, ...place } = await shippingZoneResource.list(c.var.db, query, Date.now());
  const methods = await readMethodsOf(
    c.var.db,
    zones.map(({ id }) => id),
  );
  const { currency } = c.var.settings;
  const props = { zones, methods, currency, place, url: c.req.url };
  return page(c, "Shipping", <ShippingPage {...props} />);
}

function newPage(c: Context<PanelEnv>, failed: Failed | null) {
  return page(c, "New shipping zone", <NewZonePage failed={failed} />);
}

async function zonePage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const { db, settings } = c.var;
  const [zone, methods] = await Promise.all([shippingZoneResource.require(db, id), readMethodsOf(db, [id])]);
  const props = { zone, methods, currency: settings.currency, failed };
  return page(c, zone.name, <ZonePage {...props} />);
}

type ListProps = { zones: ZoneRow[]; methods: MethodRow[]; currency: string; place: Page; url: string };

const ShippingPage = ({ zones, methods, currency, place, url }: ListProps) => (
  <>
    <PageHeader title="Shipping">
      <Allowed to="settings:write">
        <LinkButton href={`${SHIPPING_ZONES}/new`} tone="primary">
          New zone
        </LinkButton>
      </Allowed>
    </PageHeader>
    {zones.length === 0 ? (
      <EmptyState title="No shipping zones yet">
        Until you add a zone, you ship everywhere for free. <SetUpLink />
      </EmptyState>
    ) : (
      zones.map((zone) => (
        <Zone zone={zone} methods={methods.filter(({ zoneId }) => zoneId === zone.id)} currency={currency} />
      ))
    )}
    <Pagination page={place} url={url} />
  </>
);

const Zone = ({ zone, methods, currency }: { zone: ZoneRow; methods: MethodRow[]; currency: string }) => (
  <section class="card">
    <div class="section-header">
      <h2>
        <a href={`${SHIPPING_ZONES}/${zone.id}`}>{zone.name}</a>
      </h2>
    </div>
    <p class="muted">{placesOf(zone)}</p>
    {!methods.some(({ enabled }) => enabled) && (
      <p class="notice warning">The zone has no shipping method, so nothing ships there.</p>
    )}
    {methods.length > 0 && <MethodTable label={`Methods of ${zone.name}`} methods={methods} currency={currency} />}
  </section>
);

const NewZonePage = ({ failed }: { failed: Failed | null }) => {
  const form = formFor(failed, SHIPPING_ZONES, { inputs: zoneInputs, values: valuesOf(zoneFields) });
  return (
    <NewPage title="New shipping zone" back={back} form={form} button="Create zone">
      <AllFields form={form} />
    </NewPage>
  );
};

type Props = { zone: ZoneRow; methods: MethodRow[]; currency: string; failed: Failed | null };

const ZonePage = ({ zone, methods, currency, failed }: Props) => {
  const { id, name, updatedAt } = zone;
  const path = `${SHIPPING_ZONES}/${id}`;
  const etag = etagOf(updatedAt);
  const form = formFor(failed, path, { inputs: zoneInputs, values: valuesOf(zoneFields, zone), etag });
  return (
    <>
      <RowHeader
        title={name}
        back={back}
        audit={{ subject: "shipping_zone", id }}
        deletion={{
          form: formFor(failed, `${path}/delete`, { etag }),
          needs: "settings:write",
          title: `Delete ${name}?`,
          text: "The shop will no longer ship to its places, unless another zone covers the rest of the world. Delete its methods first.",
        }}
      />
      <section class="card">
        <h2>Shipping methods</h2>
        {methods.length === 0 ? (
          <EmptyState title="No methods yet">The shop does not ship to this zone until it has a method.</EmptyState>
        ) : (
          <MethodTable label="Shipping methods" methods={methods} currency={currency} />
        )}
      </section>
      <Allowed to="settings:write">
        <NewMethod path={path} failed={failed} />
      </Allowed>
      <FormCard title="Zone" form={form} needs="settings:write" button="Save zone">
        <AllFields form={form} />
      </FormCard>
    </>
  );
};

const NewMethod = ({ path, failed }: { path: string; failed: Failed | null }) => {
  const values = { ...valuesOf(methodFields), kind: "flat_rate" };
  const form = formFor(failed, `${path}/methods`, { inputs: methodInputs, values });
  return (
    <FormCard title="New method" form={form} button="Create method">
      <AllFields form={form} />
    </FormCard>
  );
};
