import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { app } from "../../src/app.ts";
import { draftLinkToken } from "../../src/platform/auth/order-link.ts";
import { requestTo } from "./call.ts";
import { settings } from "./shop.ts";

/** The token in the link of a draft. */
export const tokenOf = ({ reference }: { reference: string }) => draftLinkToken(settings.linkSecrets, reference);

/** Opens the page behind the link. */
export async function openDraftPage(token: string) {
  const request = requestTo(`GET https://shop.test/account/draft?token=${token}`);
  const response = await app.fetch(request, env, createExecutionContext());
  return { status: response.status, html: await response.text() };
}

/** Confirms the draft on its page. */
export async function confirm(token: string, total: number, more: Record<string, string> = {}) {
  const body = new URLSearchParams({ token, expected_total: String(total), ...more });
  const headers = { Origin: "https://shop.test", "Content-Type": "application/x-www-form-urlencoded" };
  const request = new Request("https://shop.test/account/draft", { method: "POST", body, headers, redirect: "manual" });
  const response = await app.fetch(request, env, createExecutionContext());
  return { status: response.status, html: await response.text() };
}
