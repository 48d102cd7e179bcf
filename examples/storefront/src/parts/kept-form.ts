import { StorefrontError } from "@storefront-worker/api/client";
import * as z from "zod";
import { dropCookie } from "../cookies.ts";
import type { ShopContext } from "../env.ts";
import { fitting, readSealedCookie, writeSealedCookie } from "../sealed-cookies.ts";
import { failureOf } from "./failure.ts";
import type { Form } from "./form.ts";

// A refused form is answered by a redirect, so that going back never submits it again, and stored for the next page.

const KEPT_SECONDS = 60;

/** The longest address in Latin letters fits, with an error for each of its fields. */
const MOST_BYTES = 1_900;

const Kept = z.object({
  action: z.string(),
  values: z.record(z.string(), z.string()),
  errors: z.record(z.string(), z.array(z.string())),
  message: z.string().optional(),
});

/** Redirects to the page of a form, which shows the typed values and the reasons. Passwords are not stored. */
export async function showAgain(c: ShopContext, path: string, form: Form): Promise<Response> {
  const typed = Object.entries(form.values).filter(([name]) => !name.includes("password"));
  const kept = { ...form, action: c.req.path, values: fitting(Object.fromEntries(typed), MOST_BYTES) };
  await writeSealedCookie(c, "shop-form", kept, KEPT_SECONDS);
  return c.redirect(path, 303);
}

/** The refused form for this page. Shown once: a reload starts with an empty form. */
export async function takeForm(c: ShopContext): Promise<(Form & { action: string }) | null> {
  const { data } = Kept.safeParse(await readSealedCookie(c, "shop-form"));
  if (!data) return null;
  dropCookie(c, "shop-form");
  const { message, ...form } = data;
  return { ...form, ...(message !== undefined && { message }) };
}

/** The form sent to `action`: as it was refused, or with its initial values. */
export const formFor = (
  kept: Awaited<ReturnType<typeof takeForm>>,
  action: string,
  values: Form["values"] = {},
): Form => (kept?.action === action ? kept : { values, errors: {} });

/** Performs a form's action. If the API refuses the input, the form's page shows it again with the reasons. */
export async function orShowAgain(
  c: ShopContext,
  path: string,
  values: Form["values"],
  act: () => Promise<Response>,
): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    const reason = reasonOf(error, c.var.shopper !== null);
    if (reason === null) throw error;
    return showAgain(c, path, { values, ...reason });
  }
}

function reasonOf(error: unknown, isSignedIn: boolean): Omit<Form, "values"> | null {
  const isRefusal = error instanceof StorefrontError && error.status < 500;
  if (!isRefusal) {
    const failure = failureOf(error);
    return failure === null ? null : { errors: {}, message: failure };
  }
  const { status, message, errors, retryAfter } = error;
  if (status === 429) return { errors: {}, message: `Too many attempts. Try again in ${waiting(retryAfter ?? 60)}.` };
  // A shopper's 401 means that their session has ended.
  if (![400, 409].includes(status) && (status !== 401 || isSignedIn)) return null;
  return { errors, message: message === NOT_VALID ? "Please check the marked fields." : `${message}.` };
}

/** The API's message if its fields explain everything. */
const NOT_VALID = "The request is not valid";

function waiting(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (seconds <= 60) return `${seconds} ${seconds === 1 ? "second" : "seconds"}`;
  return `${minutes} minutes`;
}
