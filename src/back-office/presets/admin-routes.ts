import { Hono } from "hono";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { ok } from "../../platform/http/envelope.ts";
import { answers } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { countryPlan, euPlan, insertPlan, usPlan } from "./presets.ts";
import { CountrySetUp, EuSetUp, ShownPlan, UsSetUp } from "./schemas.ts";

export const presetsAdmin = new Hono<AppEnv>()
  .post(
    "/shop/presets/eu",
    administer("settings:write"),
    idempotent,
    validate("json", EuSetUp),
    answers("applyEuPreset", "Set up a shop in the European Union", ShownPlan, {
      refuses: { 409: ["already_set_up"] },
      description: "Creates the shipping zones and tax rates of a shop in the European Union. Review them afterwards.",
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const shown = await once(c, sent, (ctx) => insertPlan(ctx, euPlan(sent)));
      return ok(c, "Shop set up", shown);
    },
  )
  .post(
    "/shop/presets/us",
    administer("settings:write"),
    idempotent,
    validate("json", UsSetUp),
    answers("applyUsPreset", "Set up a shop in the United States", ShownPlan, {
      refuses: { 409: ["already_set_up"] },
      description: "Creates the shipping zones and tax rates of a shop in the United States. Review them afterwards.",
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const shown = await once(c, sent, (ctx) => insertPlan(ctx, usPlan(sent)));
      return ok(c, "Shop set up", shown);
    },
  )
  .post(
    "/shop/presets/country",
    administer("settings:write"),
    idempotent,
    validate("json", CountrySetUp),
    answers("applyCountryPreset", "Set up a shop in the UK, Switzerland, Canada or Australia", ShownPlan, {
      refuses: { 409: ["already_set_up"] },
      description:
        "Creates the shipping zones and tax rates of a shop in the UK, Switzerland, Canada or Australia. Review them afterwards.",
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const shown = await once(c, sent, (ctx) => insertPlan(ctx, countryPlan(sent)));
      return ok(c, "Shop set up", shown);
    },
  );
