import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { DIALOG, look } from "../browser/look.ts";
import { told } from "../browser/told.ts";

const REDIRECT = "http://127.0.0.1/callback";
const VERIFIER = "v".repeat(43);

it(
  "installs an app by its consent page, changes its permissions and removes it, each at once",
  LONG,
  async ({ shop, aPage, aSignedInPage }) => {
    const page = await aSignedInPage();
    await page.goto("/admin/apps");
    await look(page, "apps-none");
    await page.getByRole("link", { name: "All apps" }).click();
    await page.getByLabel("Name").fill("Stock Keeper");
    await page.getByLabel("Publisher").fill("Keeper Inc.");
    await page.getByLabel("Redirect addresses").fill("javascript:alert(1)");
    await page.getByRole("button", { name: "Register app" }).click();
    await told(page, "must begin with https://");
    await look(page, "app-refused");
    await page.getByLabel("Redirect addresses").fill(REDIRECT);
    await page.getByRole("button", { name: "Register app" }).click();
    const clientId = await page.getByLabel("Client id").inputValue();
    await look(page, "app-registered");

    const query = new URLSearchParams({
      ...{ response_type: "code", client_id: clientId, redirect_uri: REDIRECT, state: "abc" },
      scope: "products:read products:write orders:read payments:write",
      ...{ code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"), code_challenge_method: "S256" },
    });
    await page.goto(`/oauth/authorize?${query}`);
    await page.getByRole("heading", { name: "Install Stock Keeper?" }).waitFor();
    await look(page, "app-consent");
    await page.locator("input[value='payments:write']").uncheck();
    const returned = new Promise<URL>((found) => {
      void page.route(`${REDIRECT}*`, async (route) => {
        found(new URL(route.request().url()));
        await route.fulfill({ body: "Back in the app" });
      });
    });
    await page.getByRole("button", { name: "Install" }).click();
    const { searchParams } = await returned;
    expect(searchParams.get("state")).toBe("abc");

    const exchanged = await fetch(`${shop.base_url}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        ...{ grant_type: "authorization_code", client_id: clientId, code_verifier: VERIFIER },
        ...{ code: searchParams.get("code") ?? "", redirect_uri: REDIRECT },
      }),
    });
    const { access_token, scope } = (await exchanged.json()) as { access_token: string; scope: string };
    expect(scope).toBe("orders:read products:read products:write");
    const ask = async (path: string) =>
      (await fetch(`${shop.base_url}/api/v1${path}`, { headers: { Authorization: `Bearer ${access_token}` } })).status;
    expect(await ask("/admin/orders")).toBe(200);

    const visitor = await aPage();
    query.set("scope", "profile buy");
    await visitor.goto(`/oauth/authorize?${query}`);
    await visitor.getByRole("heading", { name: "Connect Stock Keeper?" }).waitFor();
    await look(visitor, "app-connect");

    await page.goto("/admin/apps");
    await look(page, "apps");
    await page.getByRole("link", { name: "Stock Keeper" }).click();
    await look(page, "app");
    await page.locator("input[value='orders:read']").uncheck();
    await page.getByRole("button", { name: "Save app" }).click();
    await told(page, "Stock Keeper was saved");
    expect(await ask("/admin/orders")).toBe(403);
    await page.getByRole("button", { name: "Remove" }).first().click();
    await look(page, "app-removing", { within: DIALOG });
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await told(page, "The app was removed");
    expect(await ask("/user/products")).toBe(401);

    await page.goto("/admin/apps/registered");
    await look(page, "apps-registered");
    await page.getByRole("row", { name: "Stock Keeper" }).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await told(page, "The app's requests are refused");
    expect((await fetch(`${shop.base_url}/oauth/authorize?${query}`)).status).toBe(401);
  },
);

it("blocks an app that describes itself, and admits it again", LONG, async ({ shop, aSignedInPage }) => {
  const server = createServer((request, response) => {
    const described = { client_id: clientId, client_name: "Leaky Mailer ".repeat(7).trim(), redirect_uris: [REDIRECT] };
    response.setHeader("Content-Type", "application/json").end(JSON.stringify(request.url === path ? described : {}));
  });
  const path = `/${"clients-of-a-company-with-many-apps/".repeat(5)}client.json`;
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const clientId = `http://127.0.0.1:${port}${path}`;
  const page = await aSignedInPage();
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: clientId, redirect_uri: REDIRECT, scope: "read write payments:write" },
    ...{ code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"), code_challenge_method: "S256" },
  });
  await page.goto(`/oauth/authorize?${query}`);
  await look(page, "app-described");
  await page.route(`${REDIRECT}*`, (route) => route.fulfill({ body: "Back in the app" }));
  await page.getByRole("button", { name: "Install" }).click();
  await page.getByText("Back in the app").waitFor();

  await page.goto("/admin/apps/registered");
  const row = page.getByRole("row", { name: "Leaky Mailer" });
  await row.getByRole("button", { name: "Block" }).click();
  await look(page, "app-blocking", { within: DIALOG });
  await page.getByRole("dialog").getByRole("button", { name: "Block" }).click();
  await told(page, "The app's requests are refused");
  await look(page, "apps-blocked");
  expect((await fetch(`${shop.base_url}/oauth/authorize?${query}`)).status).toBe(401);
  await row.getByRole("button", { name: "Unblock" }).click();
  await told(page, "The app can be used again");
  await page.goto(`/oauth/authorize?${query}`);
  await page.getByRole("heading", { name: "Install Leaky Mailer" }).waitFor();
  server.close();
});
