import type { StatusCode } from "hono/utils/http-status";
import type { ApiError } from "../domain/errors.ts";
import type { PageContext } from "./env.ts";
import { ErrorSummary } from "./kit/form.tsx";
import { page } from "./page.tsx";

const titles: Record<number, string> = {
  403: "Not allowed",
  404: "Not found",
  405: "Not allowed",
  429: "Too many requests",
  500: "Something went wrong",
  503: "Temporarily unavailable",
};

/** Shows an error as a page, with the API's message. */
export function errorPage(c: PageContext, { status, message, errors, headers }: ApiError): Promise<Response> {
  const title = titles[status] ?? "The request was refused";
  c.status(status as StatusCode);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  return page(
    c,
    title,
    <div class="card narrow">
      <h1>{title}</h1>
      <p>{message}.</p>
      <ErrorSummary errors={errors} message={null} />
      <p class="muted">
        Status {status}, request <code>{c.var.requestId}</code>
      </p>
      {c.req.path.startsWith("/admin") && (
        <p>
          <a href="/admin">Go to the overview</a>
        </p>
      )}
    </div>,
  );
}
