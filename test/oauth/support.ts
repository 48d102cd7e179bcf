import { env } from "cloudflare:workers";
import { createHash, randomBytes } from "node:crypto";
import { expect } from "vitest";
import { hashSecret } from "../../src/platform/auth/secrets.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { script } from "../payments/support/stand-in.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { type Answer, call, ORIGIN } from "../support/call.ts";
import { anAdministrator, aVisitor, fieldsOf, type Page } from "../support/panel.ts";
import { db } from "../support/shop.ts";

export const REDIRECT = "https://app.example/callback";
export const STAFF = "/admin/apps/authorize";

export function aProof() {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** A client that describes itself on the stand-in, from the second time by another document. */
export async function aDescribedClient(document: object = {}, later: object = document) {
  const name = crypto.randomUUID();
  const clientId = `${env.STRIPE_API_URL}/clients/${name}`;
  for (const [times, fields] of [[1, document] as const, [1_000, later] as const]) {
    const body = { client_id: clientId, client_name: "Mailer", redirect_uris: [REDIRECT], ...fields };
    await script({ line: `GET /clients/${name}`, about: name, times, status: 200, headers: {}, body });
  }
  return clientId;
}

let registered = 0;

/** A client that an administrator registered. */
export async function aRegisteredClient(columns: Partial<typeof tables.apps.$inferInsert> & { secret?: string } = {}) {
  const { secret, ...more } = columns;
  const clientId = `app_${++registered}`;
  await db.insert(tables.apps).values({
    ...{ clientId, name: "Mailer", publisher: "Mail Inc.", redirectUris: [REDIRECT] },
    ...{ secretHash: secret === undefined ? null : hashSecret(secret), createdAt: Date.now(), updatedAt: Date.now() },
    ...more,
  });
  return clientId;
}

type Ask = Record<string, string | undefined>;

/** The query of an authorization request. Undefined parameters are left out. */
export function askFor(clientId: string, ask: Ask = {}): string {
  const all: Ask = {
    ...{ response_type: "code", client_id: clientId, redirect_uri: REDIRECT, scope: "products:read", state: "s t&te" },
    ...{ code_challenge: aProof().challenge, code_challenge_method: "S256" },
    ...ask,
  };
  const sent = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return `?${new URLSearchParams(sent)}`;
}

/** Where a page returns to. */
export function returnOf({ headers, location }: Page): URL {
  const refresh = headers.get("Refresh") ?? "";
  return new URL(location ?? refresh.replace("0; url=", ""));
}

type Staff = Pick<Awaited<ReturnType<typeof anAdministrator>>, "get" | "post">;

/** Opens the consent page as an administrator and agrees, by default to everything. Returns the code. */
export async function consent(staff: Staff, query: string, fields: Record<string, string | string[]> = {}) {
  const shown = await staff.get(STAFF + query);
  expect([shown.status, shown.html]).toEqual([200, expect.stringContaining("Install")]);
  const done = await staff.post(STAFF, { ...fieldsOf(shown, STAFF), ...fields });
  expect(done.status).toBe(200);
  return returnOf(done).searchParams.get("code") ?? "";
}

export const postForm = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  call(`POST ${ORIGIN}${path}`, {
    body: new URLSearchParams(fields).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded", "CF-Connecting-IP": addressOfForm(), ...headers },
  });

/** A code that an administrator agreed to, ready to be exchanged. */
export async function aStaffCode(
  staff: Staff,
  { clientId = undefined as string | undefined, scope = "products:read" } = {},
) {
  const client_id = clientId ?? (await aRegisteredClient());
  const { verifier, challenge } = aProof();
  const code = await consent(staff, askFor(client_id, { scope, code_challenge: challenge }));
  return { client_id, code, code_verifier: verifier };
}

/** A code that a shopper agreed to, ready to be exchanged. */
export async function aShopperCode(account: Account, { clientId = undefined as string | undefined } = {}) {
  const client_id = clientId ?? (await aRegisteredClient());
  const { verifier, challenge } = aProof();
  const { answer } = await signInToConsent(account, askFor(client_id, { scope: "profile", code_challenge: challenge }));
  return { client_id, code: returnOf(answer).searchParams.get("code") ?? "", code_verifier: verifier };
}

let forms = 0;
const addressOfForm = () => `2001:db8:aaaa:${(++forms).toString(16)}::1`;

export const exchange = (fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer> =>
  postForm("/oauth/token", { grant_type: "authorization_code", redirect_uri: REDIRECT, ...fields }, headers);

export const refresh = (clientId: string, token: string, more: Record<string, string> = {}): Promise<Answer> =>
  postForm("/oauth/token", { grant_type: "refresh_token", client_id: clientId, refresh_token: token, ...more });

/** An app that an administrator just installed, with its first tokens. */
export async function anInstalledApp({
  scope = "products:read",
  resource = "/api/v1",
  staff = undefined as Staff | undefined,
  clientId = undefined as string | undefined,
} = {}) {
  const admin = staff ?? (await anAdministrator());
  const id = clientId ?? (await aRegisteredClient());
  const { verifier, challenge } = aProof();
  const code = await consent(admin, askFor(id, { scope, resource: ORIGIN + resource, code_challenge: challenge }));
  const answer = await exchange({ client_id: id, code, code_verifier: verifier });
  expect(answer.status).toBe(200);
  const { access_token: token, refresh_token: refreshToken } = answer.body;
  return { admin, clientId: id, code, verifier, token, refreshToken, answer } as {
    admin: Staff;
    clientId: string;
    code: string;
    verifier: string;
    token: string;
    refreshToken: string;
    answer: Answer;
  };
}

/** The page that asks a shopper. */
export const AUTHORIZE = "/oauth/authorize";

type Account = Pick<Awaited<ReturnType<typeof anAccount>>, "id" | "email" | "token">;

/** Signs a shopper in on the consent page. Returns the page that follows. */
export async function signInToConsent(account: Account, query: string) {
  const visitor = aVisitor();
  const shown = await visitor.get(AUTHORIZE + query);
  expect(shown.status).toBe(200);
  const fields = { ...fieldsOf(shown, AUTHORIZE), email: account.email, password: PASSWORD };
  return { visitor, shown, answer: await visitor.post(AUTHORIZE, fields) };
}

/** An app that a shopper connected, with its first tokens. A platform of the Universal Commerce Protocol names no resource. */
export async function aConnectedApp({
  account = undefined as Account | undefined,
  scope = "profile addresses orders buy",
  resource = "/api/v1" as string | null,
  clientId = undefined as string | undefined,
} = {}) {
  const shopper = account ?? (await anAccount());
  const client = clientId ?? (await aRegisteredClient({ name: "Wardrobe" }));
  const { verifier, challenge } = aProof();
  const asked = { scope, resource: resource === null ? undefined : ORIGIN + resource, code_challenge: challenge };
  const { answer } = await signInToConsent(shopper, askFor(client, asked));
  const code = returnOf(answer).searchParams.get("code") ?? "";
  const sent = { client_id: client, code, code_verifier: verifier };
  const { status, body } = await exchange(sent);
  expect(status).toBe(200);
  const [token, refreshToken] = [String(body.access_token), String(body.refresh_token)];
  return { shopper, clientId: client, sent, body, token, refreshToken };
}
