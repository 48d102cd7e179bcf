import { type Context, Hono } from "hono";
import * as z from "zod";
import { install } from "../../integrations/apps/installations.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administrators } from "../../platform/auth/gates.ts";
import { isSensitive } from "../../platform/auth/roles.ts";
import { PermissionRows } from "../api-keys/new-page.tsx";
import { submitForm } from "../forms/attempt.ts";
import { type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import { listKind } from "../forms/kinds.ts";
import type { SentForm } from "../forms/read-form.ts";
import { AboutApp, forRequest, queryOf, RequestFields, returnAfter } from "../kit/authorization.tsx";
import { Group } from "../kit/fields.tsx";
import { Button, Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { type PanelEnv, page } from "../page.tsx";

const PATH = "/admin/apps/authorize";

const inputs = {
  permissions: { as: "choices", label: "Permissions", options: [] },
} satisfies FormInputs;

/** The page on which an administrator installs an app: what it is, and what it may do. */
function authorizePage(c: Context<PanelEnv>, failed: Failed | null) {
  return forRequest(c, failed?.values ?? queryOf(c), (request) => {
    const form = formFor(failed, PATH, { inputs, values: { permissions: request.scopes } });
    const offers = (sensitive: boolean) => (name: string) =>
      request.scopes.includes(name) && isSensitive(name) === sensitive;
    return page(
      c,
      `Install ${request.client.name}`,
      <>
        <PageHeader title={`Install ${request.client.name}?`} />
        <section class="card narrow">
          <AboutApp {...request} />
          <Form form={form} plain>
            <RequestFields {...request} />
            <Group form={form} name="permissions">
              {request.scopes.some(isSensitive) && (
                <>
                  <p class="notice warning">These give access to money, settings, credentials or customers' data:</p>
                  <PermissionRows form={form} offered={offers(true)} />
                </>
              )}
              <PermissionRows form={form} offered={offers(false)} />
            </Group>
            <p class="muted">
              The app can use these permissions until you remove it under Apps, also after you have left the staff.
            </p>
            <div class="actions">
              <Button>Install</Button>
              <Button tone="quiet" name="deny" value="true">
                Cancel
              </Button>
            </div>
          </Form>
        </section>
      </>,
    );
  });
}

const decide = (c: Context<PanelEnv>, sent: SentForm) =>
  forRequest(c, sent.values, async (request) => {
    if (sent.values.deny !== undefined) {
      return returnAfter(c, request, { error: "access_denied", error_description: "The app was not installed" });
    }
    const Granted = z.object({
      permissions: z.array(z.enum(request.scopes)).min(1, "choose at least one permission, or cancel"),
    });
    const { permissions } = sent.read(Granted, { permissions: listKind });
    return returnAfter(c, request, { code: await install(writeContextOf(c), { request, permissions }) });
  });

export const appAuthorization = new Hono<PanelEnv>()
  .get("/apps/authorize", administrators, (c) => authorizePage(c, null))
  .post("/apps/authorize", administrators, submitForm(authorizePage, decide));
