import { HTTPException } from "hono/http-exception";
import type { StatusCode } from "hono/utils/http-status";
import { StorefrontError } from "storefront/client";
import type { ShopContext } from "./env.ts";
import { page } from "./page.tsx";
import { forgetShopper } from "./session/shopper.ts";
import { SignInFirst } from "./session/signed-in.ts";
import { tell } from "./told.ts";

type Problem = { status: number; title: string; advice: string; reference?: string | null };

const advice: Record<number, Omit<Problem, "status">> = {
  400: { title: "That did not work", advice: "Go back, check what you entered, and try again." },
  403: { title: "Not possible", advice: "Go back to the page that you came from, reload it and try again." },
  404: { title: "Page not found", advice: "The product may no longer be sold, or the address is misspelt." },
  429: { title: "Too many requests", advice: "The shop is busy. Wait a minute, then try again." },
  503: { title: "Closed for a moment", advice: "The shop cannot be reached. Wait a minute, then try again." },
};

const fault = {
  title: "Something went wrong",
  advice: "It is our fault. Try again; if it happens again, write to us.",
};

/** Whatever a route did not expect, as a page that says what to do. */
export function problem(error: Error, c: ShopContext): Response | Promise<Response> {
  if (error instanceof SignInFirst) return signInFirst(c);
  if (error instanceof StorefrontError) return refused(error, c);
  if (error instanceof HTTPException)
    return problemPage(c, { status: error.status, ...(advice[error.status] ?? fault) });
  // A broken connection to the API: fetch says no more of it.
  const status = error instanceof TypeError ? 503 : 500;
  console.error(error);
  return problemPage(c, { status, ...(advice[status] ?? fault) });
}

/** A guest who asked for a page comes back to it; what a form held is typed in again. */
function signInFirst(c: ShopContext): Response {
  const next = c.req.method === "GET" ? `?next=${encodeURIComponent(c.req.path)}` : "";
  return c.redirect(`/sign-in${next}`, 303);
}

function refused(error: StorefrontError, c: ShopContext): Response | Promise<Response> {
  const { status, message, requestId, retryAfter } = error;
  if (status === 401 && c.var.shopper) {
    // Signed out elsewhere: the token is genuine still, and good for nothing.
    forgetShopper(c);
    return tell(c, "You are signed out: sign in again.", "/sign-in");
  }
  if (retryAfter !== null) c.header("Retry-After", String(retryAfter));
  if (status >= 500 || status === 401) console.error(message, requestId);
  const shown = shownStatus(status, c.req.method);
  return problemPage(c, { status: shown, ...(advice[shown] ?? fault), reference: requestId });
}

/** Our key refused is our own fault; an address that makes no sense to the API leads nowhere, as one that nothing is at. */
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
    <section class="panel narrow">
      <h1>{title}</h1>
      <p>{advice}</p>
      {reference && (
        <p class="quiet">
          If you write to us, tell us this: <code>{reference}</code>
        </p>
      )}
      <p>
        <a class="button" href="/">
          To the shop
        </a>
      </p>
    </section>,
  );
}
