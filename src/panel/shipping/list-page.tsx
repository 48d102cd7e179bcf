import type { MethodRow } from "../../checkout/shipping/methods/fields.ts";
import type { ZoneRow } from "../../checkout/shipping/zones/fields.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { Allowed } from "../kit/allowed.tsx";
import { LinkButton } from "../kit/buttons.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pagination } from "../kit/pagination.tsx";
import { SetUpLink } from "../set-up/link.tsx";
import { MethodTable } from "./methods.tsx";
import { placesOf } from "./places.ts";

type Props = { zones: ZoneRow[]; methods: MethodRow[]; currency: string; place: Page; url: string };

export const ShippingPage = ({ zones, methods, currency, place, url }: Props) => (
  <>
    <PageHeader title="Shipping">
      <Allowed to="settings:write">
        <LinkButton href="/admin/shipping-zones/new" tone="primary">
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
        <a href={`/admin/shipping-zones/${zone.id}`}>{zone.name}</a>
      </h2>
    </div>
    <p class="muted">{placesOf(zone)}</p>
    {!methods.some(({ enabled }) => enabled) && (
      <p class="notice warning">Nothing is sent there: the zone offers no shipping method.</p>
    )}
    {methods.length > 0 && <MethodTable label={`Methods of ${zone.name}`} methods={methods} currency={currency} />}
  </section>
);
