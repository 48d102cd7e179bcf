import type { Context } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import { ApiError, NOT_VALID } from "../../domain/errors.ts";
import { IdParam } from "../../domain/fields.ts";
import type { FormFields } from "../../platform/http/body-parsing.ts";
import { valid } from "../../platform/http/validate.ts";
import { redirectWithFlash } from "../flash.ts";
import type { PanelEnv } from "../page.tsx";
import { reauthenticationPage } from "../session/sign-in-page.tsx";
import { type Failed, formPage, inPanelWords, PREVIEW } from "./inputs.ts";
import { NothingChanged, readForm, type SentForm } from "./read-form.ts";

/** Statuses of errors that can be corrected in the form. */
const MENDABLE = new Set([400, 401, 409, 412, 413, 429]);

const SENT_BEFORE = "This form was already sent with other content. Check your input and send it again.";

/** Performs a form's action. If it is refused, shows the form's page again with the input and the errors. */
export async function attemptWrite(
  c: Context,
  { action, values }: Pick<SentForm, "action" | "values">,
  show: (failed: Failed) => Response | Promise<Response>,
  act: () => Promise<Response>,
): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof NothingChanged) return redirectWithFlash(c, formPage({ action }), "Nothing changed.");
    if (!(error instanceof ApiError) || !MENDABLE.has(error.status)) throw error;
    c.status(error.status as StatusCode);
    const retryAfter = error.headers["Retry-After"];
    if (retryAfter !== undefined) c.header("Retry-After", retryAfter);
    const { code } = error;
    if (code === "idempotency_key_reused") {
      return show({
        action,
        values: { ...values, once: [crypto.randomUUID()] },
        errors: {},
        message: SENT_BEFORE,
        code,
        tone: "warning",
      });
    }
    const message = error.message === NOT_VALID ? "Please correct the following:" : error.message;
    return show({ action, values, errors: inPanelWords(error.errors), message, code, tone: "error" });
  }
}

const NOTHING_SAVED = "Nothing was saved. Check your input, and";

/** Shows the form saved by the sign-in or password page, to be submitted again. */
const savedForm = (c: Context<PanelEnv>, todo: string): Failed | null =>
  c.var.savedForm && {
    action: c.req.path,
    values: c.var.savedForm,
    errors: {},
    message: `${NOTHING_SAVED} ${todo}.`,
    tone: "warning",
  };

const previewOf = ({ action, values }: SentForm): Failed => ({
  action,
  values,
  errors: {},
  message: "This is a preview. It is not saved yet.",
  tone: "success",
});

/** Handles a form that is read completely before its action. */
export async function submit(
  c: Context<PanelEnv>,
  show: (failed: Failed) => Response | Promise<Response>,
  act: (sent: SentForm) => Promise<Response>,
): Promise<Response> {
  const saved = savedForm(c, "send it again");
  if (saved) return show(saved);
  const sent = await readForm(c);
  if (sent.values.do?.[0] === PREVIEW) return show(previewOf(sent));
  c.set("idempotencyKey", sent.values.once?.[0]);
  return attemptWrite(c, sent, show, () => orAskAgain(c, sent, act));
}

/** Shows an action's message on the form's page, unless the action responded by itself. */
const answered = (c: Context, path: string, done: Response | string): Response =>
  typeof done === "string" ? redirectWithFlash(c, path, done) : done;

/** Handles a form of a page, which shows the action's message, and a refused form again. */
export const submitForm =
  (
    show: (c: Context<PanelEnv>, failed: Failed) => Response | Promise<Response>,
    act: (c: Context<PanelEnv>, sent: SentForm) => Promise<Response | string>,
  ) =>
  (c: Context<PanelEnv>): Promise<Response> =>
    submit(
      c,
      (failed) => show(c, failed),
      async (sent) => answered(c, c.req.path, await act(c, sent)),
    );

/** Handles a form on a row's page, such as `/products/:id/delete`, in the same way. */
export const submitRow =
  (
    show: (c: Context<PanelEnv>, id: number, failed: Failed) => Response | Promise<Response>,
    act: (c: Context<PanelEnv>, id: number, sent: SentForm) => Promise<Response | string>,
  ) =>
  async (c: Context<PanelEnv>): Promise<Response> => {
    const { id } = valid(IdParam, c.req.param());
    return submit(
      c,
      (failed) => show(c, id, failed),
      async (sent) => answered(c, rowPath(c.req.path, id), await act(c, id, sent)),
    );
  };

/** Path of a row's page, from that of a form on it. */
const rowPath = (path: string, id: number): string => path.replace(new RegExp(`(?<=/${id})/.*`), "");

/** Asks for the password again if needed, on a page that saves the form and returns to it. */
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
    return reauthenticationPage(c, sent.action, sent.values);
  }
}

/**
 * Handles a form with a file, read as a stream. `act` writes the input into `values` as soon as the fields, which precede the
 * file, have arrived.
 */
export async function submitFile(
  c: Context<PanelEnv>,
  show: (failed: Failed) => Response | Promise<Response>,
  act: (values: FormFields) => Promise<Response>,
): Promise<Response> {
  const saved = savedForm(c, "choose the file again");
  if (saved) return show(saved);
  const values: FormFields = Object.create(null);
  return attemptWrite(c, { action: c.req.path, values }, show, () => act(values));
}
