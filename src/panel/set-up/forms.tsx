import { EuSetUp, UsSetUp } from "../../back-office/presets/admin-schemas.ts";
import { euPlan, type Plan, usPlan } from "../../back-office/presets/plan.ts";
import { EU_RATES_AS_OF, euCountries, states, US_RATES_AS_OF } from "../../back-office/presets/rates.ts";
import { countryName } from "../../domain/countries.ts";
import { regionName } from "../../domain/place.ts";
import { type FieldKind, list, optional, orNull } from "../forms/kinds.ts";
import { money } from "../forms/money.ts";
import type { SentForm } from "../forms/read-form.ts";
import type { FormState } from "../forms/state.ts";
import { Checkbox, Field, Fieldset, Select } from "../kit/fields.tsx";

const HOME = "shipping_prices.home";
const EU = "shipping_prices.eu";
const WORLD = "shipping_prices.world";

const price = (name: string): Record<string, FieldKind> => ({ [name]: orNull(money(name)) });

const stateNames = states.map((state): [string, string] => [state, regionName("US", state)]);

const Prices = ({ form, eu }: { form: FormState; eu: boolean }) => (
  <div class="columns">
    <Field form={form} name={HOME} label="Domestic shipping" inputmode="decimal" hint="0 if it is free." required />
    {eu && (
      <Field form={form} name={EU} label="Shipping to the rest of the EU" inputmode="decimal" hint={NOTHING_SENT} />
    )}
    <Field form={form} name={WORLD} label="Shipping to the rest of the world" inputmode="decimal" hint={NOTHING_SENT} />
  </div>
);

const NOTHING_SENT = "Leave empty if you do not ship there.";

const EuFields = ({ form }: { form: FormState }) => (
  <>
    <div class="columns">
      <Select
        form={form}
        name="home_country"
        label="The shop's country"
        options={[["", "Choose one"], ...euCountries.map((code): [string, string] => [code, countryName(code)])]}
        required
      />
      <Select
        form={form}
        name="vat"
        label="VAT on sales to other member states"
        hint="From 10,000 euros of sales per year, the rates of the buyer's country apply, declared through the One Stop Shop. Below that, you may charge your own country's rates."
        options={[
          ["destination", "The rates of the buyer's country"],
          ["home", "The rates of the shop's country"],
        ]}
        required
      />
    </div>
    <Prices form={form} eu={true} />
  </>
);

const UsFields = ({ form }: { form: FormState }) => (
  <>
    <Select
      form={form}
      name="home_region"
      label="The shop's state"
      options={[["", "Choose one"], ...stateNames]}
      required
    />
    <Fieldset
      form={form}
      name="states"
      label="Other states where you collect sales tax"
      hint="States where the shop has nexus and is registered. No tax is collected in other states."
    >
      <div class="choices">
        {stateNames.map(([state, name]) => (
          <Checkbox form={form} name="states" value={state} label={name} />
        ))}
      </div>
    </Fieldset>
    <Prices form={form} eu={false} />
  </>
);

type Preset = {
  title: string;
  about: string;
  asOf: string;
  /** What to check after writing. */
  caution: string;
  Fields: typeof EuFields;
  read: (sent: SentForm) => Plan;
};

export const presets: Record<Plan["preset"], Preset> = {
  eu: {
    title: "European Union",
    about: "Prices include VAT. Each of the 27 member states has its standard and its main reduced rate.",
    asOf: EU_RATES_AS_OF,
    caution:
      "Countries have further rates, and few of them tax the same products at the reduced one: give each product its tax class, and add what your products need. Territories with rules of their own, such as the Canary Islands, are not told apart.",
    Fields: EuFields,
    read: (sent) =>
      euPlan(
        sent.read(EuSetUp, { home_country: optional, vat: optional, ...price(HOME), ...price(EU), ...price(WORLD) }),
      ),
  },
  us: {
    title: "United States",
    about: "Sales tax is added to prices, at the base rate of each state that you collect it for.",
    asOf: US_RATES_AS_OF,
    caution:
      "There is no national tax. What cities and counties add is not in the rates: raise a state's rate to what applies where you sell. Keep rates of states alone where the shop has nexus. What a state exempts, such as food, is for products of the class exempt.",
    Fields: UsFields,
    read: (sent) =>
      usPlan(sent.read(UsSetUp, { home_region: optional, states: list, ...price(HOME), ...price(WORLD) })),
  },
};
