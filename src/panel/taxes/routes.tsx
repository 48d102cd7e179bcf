import { byPlace, classLabels, taxRateResource } from "../../checkout/taxes/tax-rates.ts";
import { formatPercent } from "../../domain/percent.ts";
import { countriesByName, countryOptions, placeName } from "../kit/countries.ts";
import { resourcePages } from "../resource-pages.tsx";
import { SetUpLink } from "../set-up/routes.tsx";

const list: typeof taxRateResource.list = (db, query, now) =>
  taxRateResource.list(db, query, now, byPlace(countriesByName()));

export const taxes = resourcePages(
  { ...taxRateResource, list },
  {
    title: "Taxes",
    shortName: "rate",
    heading: (rate) => `${rate.name}, ${placeName(rate)}`,
    rowLabel: (rate) => `${rate.name} of ${placeName(rate)}`,
    first: ["country", "region"],
    filters: { country: { as: "choice", label: "Country", options: countryOptions("All") } },
    columns: [
      { title: "Where", cell: (rate) => <a href={`/admin/tax-rates/${rate.id}`}>{placeName(rate)}</a> },
      { title: "Class", cell: ({ taxClass }) => classLabels[taxClass] },
      { title: "Name", cell: ({ name }) => name },
      { title: "On shipping", phone: "titled", cell: ({ taxesShipping }) => (taxesShipping ? "yes" : "no") },
      { title: "Rate", numeric: true, cell: ({ rate }) => formatPercent(rate) },
    ],
    none: { title: "No tax rates yet", narrowed: "No matching rates" },
    purpose: (
      <>
        No tax is charged without a rate. <SetUpLink />
      </>
    ),
    deletion: "The tax is no longer charged. Existing orders keep it.",
  },
);
