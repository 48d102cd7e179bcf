import { countryPlan, euPlan, type PresetPlan, usPlan } from "../../back-office/presets/presets.ts";
import {
  COUNTRY_RATES_AS_OF,
  EU_RATES_AS_OF,
  euCountries,
  singleCountries,
  states,
  taxingProvinces,
  US_RATES_AS_OF,
} from "../../back-office/presets/rates.ts";
import { CountryPreset, EuPreset, UsPreset } from "../../back-office/presets/schemas.ts";
import { countryName, regionName } from "../../domain/place.ts";
import { kindsOf } from "../forms/conversion.ts";
import { type FormInputs, orNone } from "../forms/inputs.ts";
import { optional } from "../forms/kinds.ts";
import type { SentForm } from "../forms/read-form.ts";

const NOTHING_SENT = "Leave empty if you do not ship there.";

// The form chooses their currency.
const unit = "";

const prices = {
  home: { as: "money", label: "Domestic shipping", hint: "Enter 0 if shipping is free.", required: true, unit },
  eu: { as: "money", label: "Shipping to the rest of the EU", hint: NOTHING_SENT, unit },
  world: { as: "money", label: "Shipping to the rest of the world", hint: NOTHING_SENT, unit },
} satisfies FormInputs;

const euInputs = {
  home_country: {
    as: "choice",
    label: "The shop's country",
    options: orNone(
      "Choose one",
      euCountries.map((code) => [code, countryName(code)] as const),
    ),
    required: true,
    read: optional,
  },
  vat: {
    as: "choice",
    label: "VAT on sales to other member states",
    hint: "From 10,000 euros of sales per year, the rates of the buyer's country apply, declared through the One Stop Shop. Below that, you may charge your own country's rates.",
    options: [
      ["destination", "The rates of the buyer's country"],
      ["home", "The rates of the shop's country"],
    ],
    required: true,
  },
  "shipping_prices.home": prices.home,
  "shipping_prices.eu": prices.eu,
  "shipping_prices.world": prices.world,
} satisfies FormInputs;

const stateNames = states.map((state) => [state, regionName("US", state)] as const);

const usInputs = {
  home_region: {
    as: "choice",
    label: "The shop's state",
    options: orNone("Choose one", stateNames),
    required: true,
    read: optional,
  },
  states: {
    as: "choices",
    label: "Other states where you collect sales tax",
    hint: "States where the shop has nexus and is registered. No tax is collected in other states.",
    options: stateNames,
  },
  "shipping_prices.home": prices.home,
  "shipping_prices.world": prices.world,
} satisfies FormInputs;

const countryInputs = {
  home_country: {
    as: "choice",
    label: "The shop's country",
    options: orNone(
      "Choose one",
      singleCountries.map((code) => [code, countryName(code)] as const),
    ),
    required: true,
    read: optional,
  },
  provinces: {
    as: "choices",
    label: "Provinces of Canada where you are registered for their sales tax",
    hint: "GST and HST are created for all of Canada.",
    options: taxingProvinces.map((province) => [province, regionName("CA", province)] as const),
  },
  "shipping_prices.home": prices.home,
  "shipping_prices.world": prices.world,
} satisfies FormInputs;

type Preset = {
  title: string;
  /** Label of the link to its form. */
  link: string;
  about: string;
  /** Settings that the preset creates. */
  creates: string[];
  asOf: string;
  /** Settings to check after the preset is applied. */
  caution: string;
  inputs: FormInputs;
  read: (sent: SentForm) => PresetPlan;
};

export const presets: Record<PresetPlan["preset"], Preset> = {
  eu: {
    title: "European Union",
    link: "Set up in the European Union",
    about: "Prices include VAT. Creates the standard rate and the main reduced rate of each of the 27 member states.",
    creates: [
      "Shipping zones for the shop's country, the rest of the EU and the rest of the world",
      "VAT rates of all 27 member states, or of the shop's country alone",
      "Prices that include tax",
    ],
    asOf: EU_RATES_AS_OF,
    caution:
      "Countries also have other rates, and each applies its reduced rate to different products: set the tax class of your products, and add the rates they need. Territories with their own rules, such as the Canary Islands, are taxed like the rest of their country.",
    inputs: euInputs,
    read: (sent) => euPlan(sent.read(EuPreset, kindsOf(euInputs))),
  },
  us: {
    title: "United States",
    link: "Set up in the United States",
    about: "Sales tax is added to prices, at the base rate of each state that you collect it for.",
    creates: [
      "Shipping zones for the United States and the rest of the world",
      "Sales tax of the states where you collect it, on shipping too where a state taxes it",
      "Prices without tax, which is added at checkout",
    ],
    asOf: US_RATES_AS_OF,
    caution:
      "There is no national sales tax. City and county taxes are not included: raise a state's rate to what applies where you sell. Keep only the rates of states where the shop has nexus. Give products that a state exempts, such as food, the tax class exempt.",
    inputs: usInputs,
    read: (sent) => usPlan(sent.read(UsPreset, kindsOf(usInputs))),
  },
  country: {
    title: "UK, Switzerland, Canada or Australia",
    link: "Set up in one of these",
    about: "Creates the VAT or GST of one country. Prices include it, except in Canada.",
    creates: [
      "Shipping zones for the country and the rest of the world",
      "VAT with its reduced rate in the UK and Switzerland, GST in Australia",
      "GST and HST in Canada, with the sales tax of provinces that you choose",
    ],
    asOf: COUNTRY_RATES_AS_OF,
    caution:
      "Charge a tax only if you are registered for it. Give products that a country taxes at a lower rate, such as food and books, the tax class reduced or zero.",
    inputs: countryInputs,
    read: (sent) => countryPlan(sent.read(CountryPreset, kindsOf(countryInputs))),
  },
};
