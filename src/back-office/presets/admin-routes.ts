import { Hono } from "hono";
import type * as z from "zod";
import { pascalCase } from "../../platform/administration/resource.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { ok } from "../../platform/http/envelope.ts";
import { answers } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { countryPlan, euPlan, insertPlan, type PresetPlan, usPlan } from "./presets.ts";
import { CountryPreset, EuPreset, ShownPlan, UsPreset } from "./schemas.ts";

/** The route of a preset for a shop in one of some places. */
const presetFor = <Sent>(
  preset: PresetPlan["preset"],
  places: string,
  schema: z.ZodType<Sent>,
  planOf: (sent: Sent) => PresetPlan,
) =>
  new Hono<AppEnv>().post(
    `/shop/presets/${preset}`,
    administer("settings:write"),
    idempotent,
    validate("json", schema),
    answers(`apply${pascalCase(preset)}Preset`, `Set up a shop in ${places}`, ShownPlan, {
      refuses: { 409: ["already_set_up"] },
      description: `Creates the shipping zones and tax rates of a shop in ${places}. Review them afterwards. Prices are in the shop's currency: choose it first.`,
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const shown = await once(c, sent, (ctx) => insertPlan(ctx, planOf(sent)));
      return ok(c, "Shop set up", shown);
    },
  );

export const presetsAdmin = new Hono<AppEnv>()
  .route("/", presetFor("eu", "the European Union", EuPreset, euPlan))
  .route("/", presetFor("us", "the United States", UsPreset, usPlan))
  .route("/", presetFor("country", "the UK, Switzerland, Canada or Australia", CountryPreset, countryPlan));
