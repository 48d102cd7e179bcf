import type { Plan } from "../../back-office/presets/plan.ts";
import { type Failed, formFor } from "../forms/state.ts";
import type { Values } from "../forms/values.ts";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { presets } from "./forms.tsx";
import { PlanTables } from "./plan.tsx";

const SET_UP = "/admin/set-up";
const pathOf = (preset: Plan["preset"]): string => `${SET_UP}/${preset}`;

/** Names the buttons of the page that shows a plan. */
export const [CONFIRM, CHANGE] = ["confirm", "change"];

const names: Plan["preset"][] = ["eu", "us"];

export const SetUpPage = ({ isSetUp }: { isSetUp: boolean }) => (
  <>
    <PageHeader title="Set up" back={{ path: "/admin/shop", name: "Shop" }} />
    {isSetUp && <AlreadySetUp />}
    <p class="muted">
      Sets the shop's location and creates shipping zones and tax rates. You review everything before it is saved, and
      can edit it afterwards.
    </p>
    {names.map((name) => (
      <section class="card">
        <h2>{presets[name].title}</h2>
        <p>{presets[name].about}</p>
        <p class="muted">Rates as of {presets[name].asOf}.</p>
        {!isSetUp && <LinkButton href={pathOf(name)}>Set up in the {presets[name].title}</LinkButton>}
      </section>
    ))}
  </>
);

const AlreadySetUp = () => (
  <p class="notice warning">
    There are <a href="/admin/shipping-zones">shipping zones</a> or <a href="/admin/tax-rates">tax rates</a> already. A
    preset cannot add to them: delete them first, or add new ones by hand.
  </p>
);

type FormProps = { preset: Plan["preset"]; values: Values; failed: Failed | null };

export const PresetPage = ({ preset, values, failed }: FormProps) => {
  const form = { ...formFor(failed, pathOf(preset)), ...(!failed && { values }) };
  const { title, about, asOf, Fields } = presets[preset];
  return (
    <>
      <PageHeader title={`Set up in the ${title}`} back={{ path: SET_UP, name: "Set up" }} />
      <p class="muted">
        {about} Rates as of {asOf}.
      </p>
      <div class="card">
        <Form form={form}>
          <Fields form={form} />
          <Button>Preview</Button>
        </Form>
      </div>
    </>
  );
};

/** All that a preset would write, which is written by its button and not before. */
export const PlanPage = ({ plan, values, currency }: { plan: Plan; values: Values; currency: string }) => {
  const { title, caution } = presets[plan.preset];
  return (
    <>
      <PageHeader title="This will be created" back={{ path: SET_UP, name: "Set up" }} />
      <p class="notice warning">
        The tax rates are those of {plan.asOf}: look up what changed since. {caution}
      </p>
      <PlanTables plan={plan} currency={currency} />
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
