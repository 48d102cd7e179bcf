import type { Context } from "hono";
import {
  type AuthorizationRequest,
  readAuthorization,
  returnUrl,
  type SentParameters,
} from "../../integrations/apps/authorize.ts";
import { OAuthError } from "../../integrations/apps/errors.ts";
import { isOnOwnComputer } from "../../integrations/apps/redirect-uris.ts";
import { fieldsByName } from "../../platform/http/body-parsing.ts";
import { type PageContext, page } from "../page.tsx";
import { LinkButton } from "./form.tsx";
import { DescriptionList } from "./values.tsx";

// Parts of the two pages that ask a person on behalf of an app: staff in the panel, and shoppers.

/** Parameters of the address. */
export const queryOf = (c: Context): SentParameters => fieldsByName(new URL(c.req.url).searchParams);

/**
 * Reads an authorization request and shows its page. A client's mistake goes back to a client that an administrator
 * registered. Anybody can be one that describes itself, so its address is only shown: the shop must not lead anywhere
 * by itself (RFC 9700, section 4.11.2).
 */
export async function forRequest(
  c: PageContext,
  sent: SentParameters,
  show: (request: AuthorizationRequest) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await show(await readAuthorization(c, sent));
  } catch (error) {
    if (!(error instanceof OAuthError) || !error.to) throw error;
    const { oauthCode, message, to } = error;
    const url = returnUrl(to, new URL(c.req.url).origin, { error: oauthCode, error_description: message });
    return to.isTrusted ? c.redirect(url, 303) : returnPage(c, "The app's request is not valid", `${message}.`, url);
  }
}

/** Returns to the app after the person decided. A form may not lead to another site, so the page does. */
export function returnAfter(
  c: PageContext,
  { client, ...to }: AuthorizationRequest,
  answer: Parameters<typeof returnUrl>[2],
): Promise<Response> {
  const url = returnUrl(to, new URL(c.req.url).origin, answer);
  c.header("Refresh", `0; url=${url}`);
  return returnPage(c, `Returning to ${client.name}`, "If nothing happens, use the button.", url);
}

const returnPage = (c: PageContext, title: string, text: string, url: string) =>
  page(
    c,
    title,
    <div class="card narrow">
      <h1>{title}</h1>
      <p>{text}</p>
      <LinkButton href={url} tone="primary">
        Return to {new URL(url).host || "the app"}
      </LinkButton>
    </div>,
  );

/** The known facts about an app: for one that describes itself the host alone, whatever it calls itself. */
export const AboutApp = ({ client, redirectUri }: AuthorizationRequest) => (
  <>
    <DescriptionList
      facts={{
        Publisher: client.publisher ?? undefined,
        Website: client.host ?? undefined,
        "Returns to": isOnOwnComputer(redirectUri) ? "A program on this computer" : new URL(redirectUri).host,
      }}
    />
    {client.host !== null && (
      <p class="muted">Nobody has verified the name of this app. Continue only if you trust {client.host}.</p>
    )}
  </>
);

/** The request as hidden fields, which the form sends with the decision. */
export const RequestFields = ({ sent }: AuthorizationRequest) => (
  <>
    {Object.entries(sent).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);
