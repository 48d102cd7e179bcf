import { StorefrontError } from "@storefront-worker/api/client";
import { HTTPException } from "hono/http-exception";
import type { StatusCode } from "hono/utils/http-status";
import type { ShopContext } from "./env.ts";
import { page } from "./page.tsx";
import { Unreachable } from "./parts/failure.ts";
import { FormCard } from "./parts/form-card.tsx";
import { forgetShopper } from "./session/shopper.ts";
import { SignInFirst } from "./session/signed-in.ts";
import { tell } from "./told.ts";

type Problem = { status: number; title: string; advice: string; reference?: string | null };

const advice: Record<number, Omit<Problem, "status">> = {
  400: { title: "Invalid request", advice: "Go back, check what you entered, and try again." },
  403: { title: "Not possible", advice: "Go back, reload the page and try again." },
  404: { title: "Page not found", advice: "The product may no longer be sold, or the address is misspelt." },
  429: { title: "Too many requests", advice: "The shop is busy. Wait a minute, then try again." },
  503: { title: "Temporarily unavailable", advice: "The shop cannot be reached. Wait a minute, then try again." },
};

const fault = {
  title: "Something went wrong",
  advice: "This is our fault. Please try again, and contact us if it happens again.",
};

/** Turns an unexpected error into a page with advice. */
export function problem(error: Error, c: ShopContext): Response | Promise<Response> {
  if (error instanceof SignInFirst) return signInFirst(c);
  if (error instanceof StorefrontError) return refused(error, c);
  if (error instanceof HTTPException)
    return problemPage(c, { status: error.status, ...(advice[error.status] ?? fault) });
  const status = error instanceof Unreachable ? 503 : 500;
  console.error(error);
  return problemPage(c, { status, ...(advice[status] ?? fault) });
}

/** Sends a guest to sign in, and back to the requested page afterwards. A submitted form is lost. */
function signInFirst(c: ShopContext): Response {
  const next = c.req.method === "GET" ? `?next=${encodeURIComponent(c.req.path)}` : "";
  return c.redirect(`/sign-in${next}`, 303);
}

function refused(error: StorefrontError, c: ShopContext): Response | Promise<Response> {
  const { status, message, requestId, retryAfter } = error;
  if (status === 401 && c.var.shopper) {
    // The session has ended elsewhere, but its token still has a valid signature.
    forgetShopper(c);
    return tell(c, "Your session has ended. Please sign in again.", "/sign-in");
  }
  if (retryAfter !== null) c.header("Retry-After", String(retryAfter));
  if (status >= 500 || status === 401) console.error(message, requestId);
  const shown = shownStatus(status, c.req.method);
  return problemPage(c, { status: shown, ...(advice[shown] ?? fault), reference: requestId });
}

/** A refused API key is the shop's own fault. A path that the API finds invalid is shown as not found. */
function shownStatus(status: number, method: string): number {
  if (status === 401) return 500;
  return status === 400 && method === "GET" ? 404 : status;
}

export const notFound = (c: ShopContext): Promise<Response> =>
  problemPage(c, { status: 404, ...(advice[404] ?? fault) });

function problemPage(c: ShopContext, { status, title, advice, reference }: Problem): Promise<Response> {
  c.status(status as StatusCode);
  return page(
    c,
    title,
    <FormCard title={title} sign={status === 404 ? "lost" : "trouble"}>
      <p>{advice}</p>
      {reference && (
        <p class="quiet">
          Reference for our support: <code>{reference}</code>
        </p>
      )}
      <p>
        <a class={status === 404 ? "button soft" : "button"} href="/">
          Back to the shop
        </a>
      </p>
    </FormCard>,
  );
}
