import { Hono } from "hono";
import { notFound } from "../../domain/errors.ts";
import { IdParam } from "../../domain/fields.ts";
import {
  blockApp,
  changeInstallation,
  findInstallationStart,
  InstallationUpdate,
  removeInstallation,
  unblockApp,
} from "../../integrations/apps/installations.ts";
import { AppRegistration, registerApp } from "../../integrations/apps/register.ts";
import { lastHourOf } from "../../platform/auth/api-keys/home.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administrators } from "../../platform/auth/gates.ts";
import { valid, validate } from "../../platform/http/validate.ts";
import { UsageChart } from "../api-keys/usage.tsx";
import { redirectWithFlash } from "../flash.ts";
import { submitForm } from "../forms/attempt.ts";
import { kindsOf } from "../forms/conversion.ts";
import { type PanelEnv, page } from "../page.tsx";
import { recordPages } from "../record-pages.ts";
import { appAuthorization } from "./authorize-page.tsx";
import { appPage, appsPage, clientsPage, installationInputs, RegisteredPage, registrationInputs } from "./pages.tsx";

const installations = recordPages("/apps", {
  reads: administrators,
  writes: administrators,
  listPage: appsPage,
  rowPage: appPage,
  forms: {
    "": async (c, id, sent) => {
      const change = sent.readChange(InstallationUpdate, kindsOf(installationInputs));
      const { app } = await changeInstallation(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
      return `${app.name} was saved. The change applies to the next request.`;
    },
    "/remove": async (c, id, { ifMatch }) => {
      await removeInstallation(writeContextOf(c), { id, ifMatch });
      return redirectWithFlash(c, "/admin/apps", "The app was removed. Its requests are refused.");
    },
  },
});

/** Decides on an app of the list of all apps. */
const clientForm = (act: typeof blockApp, message: string) =>
  submitForm(clientsPage, async (c) => {
    await act(writeContextOf(c), valid(IdParam, c.req.param()).id);
    return redirectWithFlash(c, "/admin/apps/registered", message);
  });

export const appPages = new Hono<PanelEnv>()
  .route("/", appAuthorization)
  .get("/apps/registered", administrators, (c) => clientsPage(c, null))
  .post(
    "/apps/registered",
    administrators,
    submitForm(clientsPage, async (c, sent) => {
      const registered = await registerApp(writeContextOf(c), sent.read(AppRegistration, kindsOf(registrationInputs)));
      return page(c, "App registered", <RegisteredPage {...registered} />);
    }),
  )
  .post("/apps/registered/:id/block", administrators, clientForm(blockApp, "The app's requests are refused."))
  .post("/apps/registered/:id/unblock", administrators, clientForm(unblockApp, "The app can be used again."))
  .get("/apps/registered/:id", administrators, (c) => c.redirect("/admin/apps/registered", 303))
  // The audit log and histories link to the author of a change, which is an API key to them.
  .get("/api-keys/:id{[0-9]+}", administrators, validate("param", IdParam), async (c, next) => {
    const { id } = c.req.valid("param");
    if (await findInstallationStart(c.var.db, id)) return c.redirect(`/admin/apps/${id}`, 303);
    return next();
  })
  .get("/apps/:id/usage", administrators, validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    // The page of an app asks again every few seconds, also while the app is removed.
    const start = await findInstallationStart(c.var.db, id);
    if (start === undefined) throw notFound(`App ${id}`);
    return c.html(<UsageChart usage={await lastHourOf(c.env, start)} now={Date.now()} />);
  })
  .route("/", installations);
