import type { TaxRateRow } from "../../checkout/taxes/fields.ts";
import { formatPercent, toPercent } from "../../domain/percent.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { countryOptions, placeName } from "../kit/countries.ts";
import { Form } from "../kit/form.tsx";
import { Listing, type ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { SetUpLink } from "../set-up/link.tsx";
import { classLabels, TaxRateFields } from "./form.tsx";

export const LIST = "/admin/tax-rates";
const back = { path: LIST, name: "Taxes" };

export const TaxRatesPage = (list: ListProps<TaxRateRow>) => (
  <>
    <PageHeader title="Taxes">
      <Allowed to="settings:write">
        <LinkButton href={`${LIST}/new`} tone="primary">
          New rate
        </LinkButton>
      </Allowed>
    </PageHeader>
    <Listing
      {...list}
      label="Tax rates"
      filters={[{ name: "country", label: "Country", options: [...countryOptions("")].slice(1) }]}
      columns={[
        { title: "Where", cell: (rate) => <a href={`${LIST}/${rate.id}`}>{placeName(rate)}</a> },
        { title: "Class", cell: ({ taxClass }) => classLabels[taxClass] },
        { title: "Name", cell: ({ name }) => name },
        { title: "On shipping", cell: ({ taxesShipping }) => (taxesShipping ? "yes" : "no") },
        { title: "Rate", numeric: true, cell: ({ rate }) => formatPercent(rate) },
      ]}
      none={{ title: "No tax rates yet", narrowed: "No rate matches" }}
    >
      Where there is no rate, no tax is due. <SetUpLink />
    </Listing>
  </>
);

export const NewTaxRatePage = ({ failed }: { failed: Failed | null }) => {
  const form = formFor(failed, LIST, { tax_class: "standard", taxes_shipping: true });
  return (
    <>
      <PageHeader title="New tax rate" back={back} />
      <div class="card">
        <Form form={form}>
          <TaxRateFields form={form} />
          <div class="actions">
            <Button>Create rate</Button>
            <LinkButton href={LIST}>Cancel</LinkButton>
          </div>
        </Form>
      </div>
    </>
  );
};

export const TaxRatePage = ({ rate, failed }: { rate: TaxRateRow; failed: Failed | null }) => {
  const path = `${LIST}/${rate.id}`;
  const etag = etagOf(rate.updatedAt);
  const form = formFor(failed, path, valuesOf(rate), etag);
  return (
    <>
      <PageHeader title={`${rate.name}, ${placeName(rate)}`} back={back}>
        <Allowed to="administrators">
          <LinkButton href={`/admin/audit-log?subject=tax_rate&subject_id=${rate.id}`}>Audit log</LinkButton>
        </Allowed>
        <Allowed to="settings:write">
          <ConfirmButton
            form={formFor(failed, `${path}/delete`, {}, etag)}
            label="Delete"
            title="Delete this rate?"
            text="It is not due any more. Orders keep the tax that they were placed with."
          />
        </Allowed>
      </PageHeader>
      <div class="card">
        <Form form={form} needs="settings:write">
          <TaxRateFields form={form} />
          <Button>Save rate</Button>
        </Form>
      </div>
    </>
  );
};

const valuesOf = ({ name, country, region, taxClass, rate, taxesShipping }: TaxRateRow) => ({
  name,
  country,
  region,
  tax_class: taxClass,
  rate: toPercent(rate),
  taxes_shipping: taxesShipping,
});
