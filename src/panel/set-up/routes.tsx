import { type Context, Hono } from "hono";
import * as z from "zod";
import { insertPlan, METHOD, type PresetPlan, readIsSetUp } from "../../back-office/presets/presets.ts";
import { currencyOf } from "../../back-office/presets/rates.ts";
import { readAmountsInUse, readShop } from "../../back-office/shop/shop.ts";
import { classLabels } from "../../checkout/taxes/tax-rates.ts";
import { Currency, inCurrency, shopCurrency } from "../../domain/money.ts";
import { formatPercent } from "../../domain/percent.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import { type Failed, type FormInputs, formFor, orNone } from "../forms/inputs.ts";
import { optional, type Values } from "../forms/kinds.ts";
import type { SentForm } from "../forms/read-form.ts";
import { Allowed } from "../kit/allowed.tsx";
import { byName, placeName, placesOf } from "../kit/countries.ts";
import { currencyName, currencyOptions } from "../kit/currencies.ts";
import { formatDate } from "../kit/dates.tsx";
import { AllFields } from "../kit/fields.tsx";
import { Button, Form, LinkButton } from "../kit/form.tsx";
import { Card, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { DescriptionList, MoneyAmount } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { presets } from "./presets.ts";

const SET_UP = "/admin/set-up";
const SET_UP_TITLE = "Set up shipping and taxes";
const pathOf = (preset: PresetPlan["preset"]): string => `${SET_UP}/${preset}`;

/** Names of the buttons on the plan's page. */
const [CONFIRM, CHANGE] = ["confirm", "change"];

const names: PresetPlan["preset"][] = ["eu", "us", "country"];

const SetUpPage = ({ isSetUp }: { isSetUp: boolean }) => (
  <>
    <PageHeader />
    {isSetUp && <AlreadySetUp />}
    <p class="muted">
      Sets the shop's location and creates shipping zones and tax rates. You review everything before it is saved, and
      can edit it afterwards.
    </p>
    <div class="columns">
      {names.map((name) => {
        const { title, link, creates, asOf } = presets[name];
        return (
          <Card title={title}>
            <ul class="ticked">
              {creates.map((text) => (
                <li>{text}</li>
              ))}
            </ul>
            <p class="muted">Rates as of {formatDate(asOf)}.</p>
            {!isSetUp && (
              <LinkButton href={pathOf(name)} tone="primary">
                {link}
              </LinkButton>
            )}
          </Card>
        );
      })}
    </div>
    <p class="muted">
      Somewhere else? Create <a href="/admin/shipping-zones">shipping zones</a> and{" "}
      <a href="/admin/tax-rates">tax rates</a> yourself.
    </p>
  </>
);

const AlreadySetUp = () => (
  <p class="notice warning">
    There are <a href="/admin/shipping-zones">shipping zones</a> or <a href="/admin/tax-rates">tax rates</a> already. A
    preset cannot add to them: delete them first, or add new ones by hand.
  </p>
);

type PricedPlan = PresetPlan & { currency: string };

type FormProps = { preset: PresetPlan["preset"]; values: Values; failed: Failed | null; choosesCurrency: boolean };

/** The inputs of a preset, with the currency after the place if the shop has no amounts yet. */
function inputsFor({ preset, choosesCurrency }: Pick<FormProps, "preset" | "choosesCurrency">): FormInputs {
  const { inputs } = presets[preset];
  if (!choosesCurrency) return inputs;
  const [place = "", ...others] = Object.keys(inputs);
  const currency = {
    as: "choice",
    label: "Currency",
    hint: "Of all prices. It cannot change once you have products or shipping methods.",
    options: orNone("The currency of the country", currencyOptions()),
  } as const;
  return Object.fromEntries([place, "currency", ...others].map((name) => [name, inputs[name] ?? currency]));
}

const PresetPage = ({ preset, values, failed, choosesCurrency }: FormProps) => {
  const { title, about, asOf } = presets[preset];
  const inputs = inputsFor({ preset, choosesCurrency });
  const form = { ...formFor(failed, pathOf(preset), { inputs }), ...(!failed && { values }) };
  return (
    <>
      <PageHeader title={`Set up in the ${title}`} />
      <p class="muted">
        {about} Rates as of {formatDate(asOf)}.{!choosesCurrency && ` Prices are in ${shopCurrency()}.`}
      </p>
      <div class="card">
        <Form form={form}>
          <AllFields form={form} />
          <Button>Preview</Button>
        </Form>
      </div>
    </>
  );
};

/** Everything that a preset would write. Its button writes it. */
const PlanPage = ({ plan, values }: { plan: PricedPlan; values: Values }) => {
  const { title, caution } = presets[plan.preset];
  return (
    <>
      <PageHeader title="This will be created" />
      <p class="notice warning">
        Tax rates are as of {formatDate(plan.asOf)}. Check what has changed since then. {caution}
      </p>
      <PlanTables plan={plan} />
      <div class="card">
        <Form form={formFor(null, pathOf(plan.preset))} plain>
          {Object.entries(values).flatMap(([name, each]) =>
            each.map((value) => <input type="hidden" name={name} value={value} />),
          )}
          <div class="actions">
            <Button name={CONFIRM} value="true">
              Set up in the {title}
            </Button>
            <Button tone="quiet" name={CHANGE} value="true">
              Change something
            </Button>
          </div>
        </Form>
      </div>
    </>
  );
};

/** For a shop without settings: a link to set up everything at once. */
export const SetUpLink = () => (
  <Allowed to="settings:write">
    <a href="/admin/set-up">Set up shipping and taxes</a> for the EU, the US, the UK, Switzerland, Canada or Australia.
  </Allowed>
);

/** A preset's plan as tables. */
const PlanTables = ({ plan }: { plan: PricedPlan }) => (
  <>
    <Card title="Shop">
      <DescriptionList
        facts={{
          Home: placeName({ country: plan.shop.homeCountry ?? "", region: plan.shop.homeRegion }),
          Currency: currencyName(plan.currency),
          Prices: plan.shop.pricesIncludeTax ? "include tax" : "exclude tax, which is added at checkout",
        }}
      />
    </Card>
    <section class="card">
      <h2>Shipping zones, each with the method “{METHOD}”</h2>
      <Table
        label="Shipping zones"
        rows={plan.zones}
        columns={[
          { title: "Zone", cell: ({ name }) => name },
          { title: "Where", cell: placesOf },
          {
            title: "Price",
            numeric: true,
            cell: ({ price }) => <MoneyAmount minor={price} currency={plan.currency} />,
          },
        ]}
      />
    </section>
    <section class="card">
      <h2>
        {plan.rates.length === 0
          ? "No tax rates"
          : `${plan.rates.length} ${plan.rates.length === 1 ? "tax rate" : "tax rates"}`}
      </h2>
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
        none={<p>The states you chose have no sales tax.</p>}
      />
    </section>
  </>
);

const inWords = ({ taxClass, rate }: PresetPlan["rates"][number]): string =>
  `${classLabels[taxClass]} ${formatPercent(rate)}`;

export const setUp = new Hono<PanelEnv>()
  .get("/set-up", administer("settings:write"), async (c) =>
    page(c, SET_UP_TITLE, <SetUpPage isSetUp={await readIsSetUp(c.var.db)} />),
  )
  .get("/set-up/eu", administer("settings:write"), (c) => newPresetPage(c, "eu"))
  .post("/set-up/eu", administer("settings:write"), (c) => answerForm(c, "eu"))
  .get("/set-up/us", administer("settings:write"), (c) => newPresetPage(c, "us"))
  .post("/set-up/us", administer("settings:write"), (c) => answerForm(c, "us"))
  .get("/set-up/country", administer("settings:write"), (c) => newPresetPage(c, "country"))
  .post("/set-up/country", administer("settings:write"), (c) => answerForm(c, "country"));

async function presetPage(c: Context<PanelEnv>, props: Omit<FormProps, "choosesCurrency">) {
  const choosesCurrency = (await readAmountsInUse(c.var.db)).length === 0;
  return page(c, SET_UP_TITLE, <PresetPage {...props} choosesCurrency={choosesCurrency} />);
}

/** The form with the country or state, and the currency, that the shop's settings name already. */
async function newPresetPage(c: Context<PanelEnv>, preset: PresetPlan["preset"]) {
  const { homeCountry, homeRegion, address, currency } = await readShop(c.var.db, c.var.settings.email);
  const country = homeCountry ?? address?.country ?? "";
  const region = homeRegion ?? address?.region ?? "";
  const place = preset === "us" ? { home_region: [region] } : { home_country: [country] };
  // The deployment's currency may never have been looked at, so the country's is offered in its place.
  const values = { ...place, currency: [currency === process.env.CURRENCY ? "" : currency] };
  return presetPage(c, { preset, values, failed: null });
}

/** Shows the plan first, then writes it. */
const answerForm = (c: Context<PanelEnv>, preset: PresetPlan["preset"]) =>
  submit(
    c,
    (failed) => presetPage(c, { preset, values: {}, failed }),
    async (sent) => {
      const { values, isChanged, isConfirmed } = pressed(sent);
      if (isChanged) return presetPage(c, { preset, values, failed: null });
      const currency = currencyIn(sent, preset);
      const plan = { ...inCurrency(currency, () => presets[preset].read(sent)), currency };
      if (!isConfirmed) return page(c, SET_UP_TITLE, <PlanPage plan={plan} values={values} />);
      await insertPlan(writeContextOf(c), plan);
      const made = `${plan.zones.length} shipping zones and ${plan.rates.length} tax rates`;
      return redirectWithFlash(c, "/admin", `The shop is set up, with ${made}.`);
    },
  );

const ChosenCurrency = z.object({ currency: Currency.optional() });

/** The currency of the form's prices: the chosen one or the country's, or the shop's if the form offered none. */
function currencyIn(sent: SentForm, preset: PresetPlan["preset"]): string {
  const { currency, home_country } = sent.values;
  if (currency === undefined) return shopCurrency();
  const chosen = sent.read(ChosenCurrency, { currency: optional }).currency;
  return chosen ?? currencyOf(preset === "us" ? "US" : (home_country?.[0] ?? ""));
}

/** The pressed button and the form's values. */
function pressed({ values: { [CONFIRM]: confirm, [CHANGE]: change, ...values } }: SentForm) {
  return { values, isConfirmed: confirm !== undefined, isChanged: change !== undefined };
}
