import { createHash } from "node:crypto";
import type { OpenShop } from "./checkout.ts";
import { aVisitor } from "./no-script/visitor.ts";

const REDIRECT = "https://app.example/callback";
const VERIFIER = "v".repeat(43);

/** An app that a shopper connected: registered in the panel, agreed to on the shop's page. Returns its access token. */
export async function connectApp(
  shop: OpenShop,
  shopper: { email: string; password: string },
  name: string,
): Promise<string> {
  const admin = aVisitor(shop.base_url);
  await admin.open("/admin/sign-in?next=/admin/apps/registered");
  admin.fill("E-mail", shop.admin.email);
  admin.fill("Password", shop.admin.password);
  await admin.press("Sign in");
  await admin.open("/admin/apps/registered");
  admin.fill("Name", name);
  admin.fill("Publisher", "Wardrobe Inc.");
  admin.fill("Redirect addresses", REDIRECT);
  await admin.press("Register app");
  const clientId = admin.value("Client id");

  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: clientId, redirect_uri: REDIRECT, scope: "profile orders" },
    ...{ code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"), code_challenge_method: "S256" },
  });
  const visitor = aVisitor(shop.base_url);
  await visitor.open(`/oauth/authorize?${query}`);
  visitor.fill("E-mail", shopper.email);
  visitor.fill("Password", shopper.password);
  const { headers } = await visitor.press("Sign in and connect");
  const returned = new URL(headers.get("Refresh")?.replace("0; url=", "") ?? "");
  const answer = await fetch(`${shop.base_url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      ...{ grant_type: "authorization_code", client_id: clientId, code_verifier: VERIFIER },
      ...{ code: returned.searchParams.get("code") ?? "", redirect_uri: REDIRECT },
    }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}
