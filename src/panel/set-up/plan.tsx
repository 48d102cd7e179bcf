import { METHOD, type Plan } from "../../back-office/presets/plan.ts";
import { classLabels } from "../../checkout/taxes/tax-rates.ts";
import { formatPercent } from "../../domain/percent.ts";
import { byName, placeName } from "../kit/countries.ts";
import { DescriptionList } from "../kit/description-list.tsx";
import { Money } from "../kit/money.tsx";
import { Table } from "../kit/table.tsx";
import { placesOf } from "../shipping/places.ts";

/** What a preset would write, as tables. */
export const PlanTables = ({ plan, currency }: { plan: Plan; currency: string }) => (
  <>
    <section class="card">
      <h2>Shop</h2>
      <DescriptionList
        facts={{
          Home: placeName({ country: plan.shop.homeCountry ?? "", region: plan.shop.homeRegion }),
          Prices: plan.shop.pricesIncludeTax ? "include tax" : "exclude tax, which is added at checkout",
        }}
      />
    </section>
    <section class="card">
      <h2>Shipping zones, each with the method “{METHOD}”</h2>
      <Table
        label="Shipping zones"
        rows={plan.zones}
        columns={[
          { title: "Zone", cell: ({ name }) => name },
          { title: "Where", cell: placesOf },
          { title: "Price", numeric: true, cell: ({ price }) => <Money minor={price} currency={currency} /> },
        ]}
      />
    </section>
    <section class="card">
      <h2>
        {plan.rates.length === 0
          ? "No tax rates"
          : `${plan.rates.length} ${plan.rates.length === 1 ? "tax rate" : "tax rates"}`}
      </h2>
      {plan.rates.length === 0 ? (
        <p>The states you chose have no sales tax.</p>
      ) : (
        <Table
          label="Tax rates"
          rows={[...Map.groupBy(plan.rates, placeName)].sort(([one], [other]) => byName(one, other))}
          columns={[
            { title: "Where", cell: ([where]) => where },
            { title: "Name", cell: ([, [rate]]) => rate?.name },
            {
              title: "On shipping",
              cell: ([, rates]) => (rates.some(({ taxesShipping }) => taxesShipping) ? "yes" : "no"),
            },
            { title: "Rates", cell: ([, rates]) => rates.map(inWords).join(" · ") },
          ]}
        />
      )}
    </section>
  </>
);

const inWords = ({ taxClass, rate }: Plan["rates"][number]): string =>
  `${classLabels[taxClass]} ${formatPercent(rate)}`;
