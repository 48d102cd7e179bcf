import type { MethodRow } from "../../checkout/shipping/methods/fields.ts";
import type { ZoneRow } from "../../checkout/shipping/zones/fields.ts";
import { etagOf } from "../../platform/http/version.ts";
import { placesText } from "../forms/places.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { MethodFields } from "./method-form.tsx";
import { MethodTable } from "./methods.tsx";
import { ZoneFields } from "./zone-form.tsx";

export const LIST = "/admin/shipping-zones";
const back = { path: LIST, name: "Shipping" };

export const NewZonePage = ({ failed }: { failed: Failed | null }) => {
  const form = formFor(failed, LIST);
  return (
    <>
      <PageHeader title="New shipping zone" back={back} />
      <div class="card">
        <Form form={form}>
          <ZoneFields form={form} />
          <div class="actions">
            <Button>Create zone</Button>
            <LinkButton href={LIST}>Cancel</LinkButton>
          </div>
        </Form>
      </div>
    </>
  );
};

type Props = { zone: ZoneRow; methods: MethodRow[]; currency: string; failed: Failed | null };

export const ZonePage = ({ zone, methods, currency, failed }: Props) => {
  const path = `${LIST}/${zone.id}`;
  const etag = etagOf(zone.updatedAt);
  const { name, places, restOfWorld } = zone;
  const form = formFor(failed, path, { name, places: placesText(places), rest_of_world: restOfWorld }, etag);
  return (
    <>
      <PageHeader title={name} back={back}>
        <Allowed to="administrators">
          <LinkButton href={`/admin/audit-log?subject=shipping_zone&subject_id=${zone.id}`}>Audit log</LinkButton>
        </Allowed>
        <Allowed to="settings:write">
          <ConfirmButton
            form={formFor(failed, `${path}/delete`, {}, etag)}
            label="Delete"
            title={`Delete ${name}?`}
            text="Nothing is sent to its places then, unless another zone is the rest of the world. Its methods are deleted first."
          />
        </Allowed>
      </PageHeader>
      <section class="card">
        <h2>Shipping methods</h2>
        {methods.length === 0 ? (
          <EmptyState title="No methods yet">Nothing is sent to this zone until it has one.</EmptyState>
        ) : (
          <MethodTable label="Shipping methods" methods={methods} currency={currency} />
        )}
      </section>
      <Allowed to="settings:write">
        <NewMethod path={path} failed={failed} />
      </Allowed>
      <section class="card">
        <h2>Zone</h2>
        <Form form={form} needs="settings:write">
          <ZoneFields form={form} />
          <Button>Save zone</Button>
        </Form>
      </section>
    </>
  );
};

const NewMethod = ({ path, failed }: { path: string; failed: Failed | null }) => {
  const form = formFor(failed, `${path}/methods`, { kind: "flat_rate", enabled: true });
  return (
    <section class="card">
      <h2>New method</h2>
      <Form form={form}>
        <MethodFields form={form} />
        <Button>Create method</Button>
      </Form>
    </section>
  );
};
