import { type Context, Hono } from "hono";
import { insertPlan, type PresetPlan, readIsSetUp } from "../../back-office/presets/presets.ts";
import { administer } from "../../platform/auth/gates.ts";
import { writeContextOf } from "../../platform/auth/write-context.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import type { Values } from "../forms/kinds.ts";
import type { SentForm } from "../forms/read-form.ts";
import type { Failed } from "../forms/state.ts";
import { page } from "../page.tsx";
import { CHANGE, CONFIRM, PlanPage, PresetPage, SET_UP_TITLE, SetUpPage } from "./pages.tsx";
import { presets } from "./presets.ts";

export const setUp = new Hono<PanelEnv>()
  .get("/set-up", administer("settings:write"), async (c) =>
    page(c, SET_UP_TITLE, <SetUpPage isSetUp={await readIsSetUp(c.var.db)} />),
  )
  .get("/set-up/eu", administer("settings:write"), (c) => presetPage(c, "eu", {}, null))
  .post("/set-up/eu", administer("settings:write"), (c) => answerForm(c, "eu"))
  .get("/set-up/us", administer("settings:write"), (c) => presetPage(c, "us", {}, null))
  .post("/set-up/us", administer("settings:write"), (c) => answerForm(c, "us"));

const presetPage = (c: Context<PanelEnv>, preset: PresetPlan["preset"], values: Values, failed: Failed | null) =>
  page(c, SET_UP_TITLE, <PresetPage preset={preset} values={values} failed={failed} />);

/** Shows the plan first, then writes it. */
const answerForm = (c: Context<PanelEnv>, preset: PresetPlan["preset"]) =>
  submit(
    c,
    (failed) => presetPage(c, preset, {}, failed),
    async (sent) => {
      const { values, isChanged, isConfirmed } = pressed(sent);
      if (isChanged) return presetPage(c, preset, values, null);
      const plan = presets[preset].read(sent);
      if (!isConfirmed) {
        return page(c, SET_UP_TITLE, <PlanPage plan={plan} values={values} currency={c.var.settings.currency} />);
      }
      await insertPlan(writeContextOf(c), plan);
      const made = `${plan.zones.length} shipping zones and ${plan.rates.length} tax rates`;
      return redirectWithFlash(c, "/admin", `The shop is set up, with ${made}.`);
    },
  );

/** The pressed button and the form's values. */
function pressed({ values: { [CONFIRM]: confirm, [CHANGE]: change, ...values } }: SentForm) {
  return { values, isConfirmed: confirm !== undefined, isChanged: change !== undefined };
}
