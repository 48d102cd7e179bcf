import { TOTP } from "otpauth";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { CONTENT } from "../../../scripts/openapi/examples/files.ts";
import { CUSTOMERS, PRODUCTS } from "../../../scripts/openapi/examples/imports.ts";
import { PICTURE } from "../../../scripts/openapi/examples/picture.ts";
import { addressOf, type Call } from "../../../scripts/reference/code.ts";
import { groups, type Route } from "../../../scripts/reference/document.ts";
import { callOf } from "../../../scripts/reference/operation.ts";
import { LONG } from "../../support/long.ts";
import { fromAnAddress } from "../an-address.ts";
import { aCheckout, type OpenShop } from "../checkout.ts";
import { sentToken } from "../emails.ts";

// A shop of its own, as `npm start` opens it: the examples name its ids and change its records.

/** Examples that cannot succeed as they stand, by reason. */
const exceptions: Record<string, string[]> = {
  "A link from an e-mail": [
    ...["getOrderByToken", "createGuestDownload", "rotateOrderLink"],
    ...["resetPassword", "verifyEmail", "revertEmail"],
  ],
  "A secret that the shop shows once": [
    ...["refreshSession", "completeLogin", "confirmTwoFactor", "regenerateRecoveryCodes", "disableTwoFactor"],
    "followDownloadLink",
  ],
  "An id that differs in each shop": ["revokeMySession", "getBackup"],
  "The signature of a payment provider": ["receivePaymentWebhook"],
  "A shop without shipping zones and tax rates": ["applyEuPreset", "applyUsPreset", "applyCountryPreset"],
  "A job that takes long": ["cancelJob"],
  "Something that an earlier example has ended": ["cancelUpload"],
  "The code of a gift card, which only its buyer reads": ["redeemGiftCard"],
  "A subscription at a payment provider": ["createMySubscriptionPortal", "cancelMySubscription", "cancelSubscription"],
  "An account at a payment provider": ["updateStripeAccount", "updatePaypalAccount", "deletePaymentAccount"],
};

/** The id of an invoice contains the year in which it was issued. */
const inThisYear = (address: string) =>
  address.replace(/(?<=invoices\/)\d{4}(?=\d{9}\b)/, String(new Date().getUTCFullYear()));

/** Fields for some of these, from earlier answers and e-mails of the shop. */
const secrets: Record<string, () => object | Promise<object>> = {
  refreshSession: () => ({ refresh_token: answered.logIn.refresh_token }),
  verifyEmail: async () => ({ token: await sentToken(shop.base_url, "robin@example.com", "verify") }),
  confirmTwoFactor: () => ({ code: totp(0) }),
  regenerateRecoveryCodes: () => ({ code: totp(30) }),
  disableTwoFactor: () => ({ code: answered.regenerateRecoveryCodes.recovery_codes[0] }),
};

const totp = (seconds: number) =>
  new TOTP({ secret: answered.enableTwoFactor.secret }).generate({ timestamp: Date.now() + seconds * 1000 });

const files: Record<string, string | Buffer<ArrayBuffer>> = {
  uploadImage: PICTURE,
  createProductImport: PRODUCTS,
  createCustomerImport: CUSTOMERS,
};

let checkout: Awaited<ReturnType<typeof aCheckout>>;
let shop: OpenShop;
const tokens = { admin: "", customer: "" };
// biome-ignore lint/suspicious/noExplicitAny: each operation answers other data
const answered: Record<string, any> = {};

beforeAll(async () => {
  checkout = await aCheckout(inject("state"));
  shop = await checkout.start();
  for (const role of ["admin", "customer"] as const) {
    const headers = { "Content-Type": "application/json", ...fromAnAddress() };
    const sent = { method: "POST", headers, body: JSON.stringify(shop[role]) };
    const response = await fetch(`${shop.base_url}/api/v1/user/auth/login`, sent);
    tokens[role] = ((await response.json()) as { data: { token: string } }).data.token;
  }
}, LONG.timeout);

afterAll(async () => {
  await checkout.kill();
  checkout.remove();
});

function contentOf({ operationId }: Route, { body, inputs, sendsFile }: Call): BodyInit | null {
  const fields = inputs.filter((input) => input.in === "form" && input.required);
  if (fields.length === 0) return sendsFile ? CONTENT : body;
  const form = new FormData();
  for (const { name, value = "", isFile } of fields) {
    if (isFile) form.set(name, new File([files[operationId] ?? CONTENT], "example.csv"));
    else form.set(name, value);
  }
  return form;
}

async function send(route: Route, more: object = {}): Promise<string | null> {
  const call = callOf(route);
  const headers = new Headers(fromAnAddress());
  const token = tokens[route.path.startsWith("/api/v1/admin/") ? "admin" : "customer"];
  if (call.credential)
    headers.set("Authorization", `Bearer ${call.credential === "KEY" ? shop.api_keys.premium : token}`);
  if (call.body !== null) headers.set("Content-Type", "application/json");
  if (call.sendsFile) headers.set("Content-Type", "application/octet-stream");
  const body = call.body && JSON.stringify({ ...JSON.parse(call.body), ...more });
  const content = contentOf(route, { ...call, body });
  const sent = { method: route.method.toUpperCase(), headers, body: content };
  const response = await fetch(`${shop.base_url}${inThisYear(addressOf(call))}`, sent);
  const text = await response.text();
  if (response.status >= 400 || !(response.status in route.responses)) return `${response.status} ${text}`;
  if (response.headers.get("Content-Type")?.includes("json")) answered[route.operationId] = JSON.parse(text).data;
  return null;
}

/** Imports and deliveries take a moment until the next example about them works. */
async function sendUntilReady(route: Route): Promise<string | null> {
  for (let tries = 0; ; tries++) {
    const failure = await send(route);
    const isEarly = /"(wrong_job_state|not_found)"/.test(failure ?? "");
    if (!isEarly || exceptionsOf(route) || tries === 20) return failure;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const exceptionsOf = ({ operationId }: Route) => Object.values(exceptions).some((ids) => ids.includes(operationId));

it("answers every example of the reference, in the order of its pages, as documented", LONG, async () => {
  const failures: Record<string, string> = {};
  for (const route of groups.flatMap(({ routes }) => routes)) {
    const id = route.operationId;
    const failure = await sendUntilReady(route);
    if (failure) failures[id] = failure;
    const secret = failure && secrets[id];
    if (secret) expect(await send(route, await secret()), id).toBeNull();
    if (id === "logIn") tokens.customer = answered.logIn.token;
  }
  expect(Object.keys(failures).sort(), JSON.stringify(failures, null, 1)).toEqual(
    Object.values(exceptions).flat().sort(),
  );
});
