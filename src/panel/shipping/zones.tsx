import type { Context } from "hono";
import {
  type MethodRow,
  methodFields,
  readMethodsOf,
  shippingMethodResource,
} from "../../checkout/shipping/methods.ts";
import { shippingZoneResource, type ZoneRow, zoneFields } from "../../checkout/shipping/zones.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { etagOf } from "../../platform/http/version.ts";
import { inputsOf, kindsOf, valuesOf } from "../forms/conversion.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { Allowed } from "../kit/allowed.tsx";
import { placesOf } from "../kit/countries.ts";
import { AllFields } from "../kit/fields.tsx";
import { LinkButton } from "../kit/form.tsx";
import { Pagination } from "../kit/listing.tsx";
import { Card, EmptyState, FormCard, NewPage, PageHeader, RowHeader } from "../kit/page-parts.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { recordPages } from "../record-pages.ts";
import { resourceForms } from "../resource-pages.tsx";
import { SetUpLink } from "../set-up/routes.tsx";
import { MethodFields, MethodTable, methodInputs, methodKinds } from "./methods.tsx";

const SHIPPING_ZONES = "/admin/shipping-zones";

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
      const method = sent.read(shippingMethodResource.schemas.new, { ...methodKinds(sent.values), zone_id: () => id });
      const { name } = await shippingMethodResource.create(writeContextOf(c), method);
      return `${name} was created.`;
    },
  },
});

async function listPage(c: Context<PanelEnv>) {
  const { query } = readFilters(c, shippingZoneResource.schemas.query);
  const { rows: zones, ...place } = await shippingZoneResource.list(c.var.db, query, Date.now());
  const ids = zones.map(({ id }) => id);
  const methods = Map.groupBy(await readMethodsOf(c.var.db, ids), ({ zoneId }) => zoneId);
  return page(
    c,
    "Shipping",
    <>
      <PageHeader>
        <LinkButton needs="settings:write" href={`${SHIPPING_ZONES}/new`} tone="primary">
          New zone
        </LinkButton>
      </PageHeader>
      {zones.length === 0 ? (
        <EmptyState title="No shipping zones yet">
          Until you add a zone, you ship everywhere for free. <SetUpLink />
        </EmptyState>
      ) : (
        zones.map((zone) => <Zone zone={zone} methods={methods.get(zone.id) ?? []} />)
      )}
      <Pagination page={place} url={c.req.url} />
    </>,
  );
}

const Zone = ({ zone, methods }: { zone: ZoneRow; methods: MethodRow[] }) => (
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
    {methods.length > 0 && <MethodTable label={`Methods of ${zone.name}`} methods={methods} />}
  </section>
);

function newPage(c: Context<PanelEnv>, failed: Failed | null) {
  const form = formFor(failed, SHIPPING_ZONES, { inputs: zoneInputs, values: valuesOf(zoneFields) });
  return page(
    c,
    "New shipping zone",
    <NewPage form={form} button="Create zone">
      <AllFields form={form} />
    </NewPage>,
  );
}

async function zonePage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const { db } = c.var;
  const [zone, methods] = await Promise.all([shippingZoneResource.require(db, id), readMethodsOf(db, [id])]);
  const path = `${SHIPPING_ZONES}/${id}`;
  const etag = etagOf(zone.updatedAt);
  const form = formFor(failed, path, { inputs: zoneInputs, values: valuesOf(zoneFields, zone), etag });
  return page(
    c,
    zone.name,
    <>
      <RowHeader
        title={zone.name}
        audit={{ subject: "shipping_zone", id }}
        deletion={{
          form: formFor(failed, `${path}/delete`, { etag }),
          needs: "settings:write",
          title: `Delete ${zone.name}?`,
          text: "The shop will no longer ship to its places, unless another zone covers the rest of the world. Delete its methods first.",
        }}
      />
      <div class="editor">
        <div>
          <Card title="Shipping methods">
            {methods.length === 0 ? (
              <EmptyState title="No methods yet">The shop does not ship to this zone until it has a method.</EmptyState>
            ) : (
              <MethodTable label="Shipping methods" methods={methods} />
            )}
          </Card>
          <Allowed to="settings:write">
            <NewMethod path={path} failed={failed} />
          </Allowed>
        </div>
        <div>
          <FormCard title="Zone" form={form} needs="settings:write" button="Save zone">
            <AllFields form={form} />
          </FormCard>
        </div>
      </div>
    </>,
  );
}

const NewMethod = ({ path, failed }: { path: string; failed: Failed | null }) => {
  const values = { ...valuesOf(methodFields), kind: "flat_rate" };
  const form = formFor(failed, `${path}/methods`, { inputs: methodInputs, values });
  return (
    <FormCard title="New method" form={form} button="Create method">
      <MethodFields form={form} />
    </FormCard>
  );
};
