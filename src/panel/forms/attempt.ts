import type { Context } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import { ApiError, NOT_VALID } from "../../domain/errors.ts";
import type { FormFields } from "../../platform/http/form-fields.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { reauthenticationPage } from "../session/sign-in-page.tsx";
import { NothingChanged, readForm, type SentForm } from "./read-form.ts";
import { type Failed, formFor, pageOf } from "./state.ts";

/** Statuses of errors that can be corrected in the form. */
const MENDABLE = new Set([400, 401, 409, 412, 413, 429]);

/** Does what the form asks for. If that is refused, its page is shown again with all that was typed, and why. */
export async function attempt(
  c: Context,
  { action, values }: Pick<SentForm, "action" | "values">,
  show: (failed: Failed) => Response | Promise<Response>,
  act: () => Promise<Response>,
): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof NothingChanged) return redirectWithFlash(c, pageOf({ action }), "Nothing changed.");
    if (!(error instanceof ApiError) || !MENDABLE.has(error.status)) throw error;
    c.status(error.status as StatusCode);
    const retryAfter = error.headers["Retry-After"];
    if (retryAfter !== undefined) c.header("Retry-After", retryAfter);
    const { errors, code } = error;
    const message = error.message === NOT_VALID ? "Please correct the following:" : error.message;
    return show({ action, values, errors, message, code, tone: "error" });
  }
}

const NOTHING_SAVED = "Nothing was saved. Check your input, and";

/** The form that the page for signing in or for the password saved, shown again, for people to send themselves. */
const savedForm = (c: Context<PanelEnv>, todo: string): Failed | null =>
  c.var.savedForm && {
    action: c.req.path,
    values: c.var.savedForm,
    errors: {},
    message: `${NOTHING_SAVED} ${todo}.`,
    tone: "warning",
  };

/** A form that is read whole before anything is done. */
export async function submit(
  c: Context<PanelEnv>,
  show: (failed: Failed) => Response | Promise<Response>,
  act: (sent: SentForm) => Promise<Response>,
): Promise<Response> {
  const saved = savedForm(c, "send it again");
  if (saved) return show(saved);
  const sent = await readForm(c);
  c.set("idempotencyKey", sent.values.once?.[0]);
  return attempt(c, sent, show, () => orAskAgain(c, sent, act));
}

/** What is sensitive may take the password again, on a page that saves the form and leads back to it. */
async function orAskAgain(
  c: Context<PanelEnv>,
  sent: SentForm,
  act: (sent: SentForm) => Promise<Response>,
): Promise<Response> {
  try {
    return await act(sent);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "reauthentication_required") throw error;
    c.status(403);
    return reauthenticationPage(c, formFor(null, sent.action), sent.values);
  }
}

/**
 * A form with a file, which is read as it comes. `act` writes what was typed into `values` as soon as the fields have come,
 * which is before the file.
 */
export async function submitFile(
  c: Context<PanelEnv>,
  show: (failed: Failed) => Response | Promise<Response>,
  act: (values: FormFields) => Promise<Response>,
): Promise<Response> {
  const saved = savedForm(c, "choose the file again");
  if (saved) return show(saved);
  const values: FormFields = Object.create(null);
  return attempt(c, { action: c.req.path, values }, show, () => act(values));
}
