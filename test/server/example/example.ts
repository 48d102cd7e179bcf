import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect, inject } from "vitest";
import { fromAnAddress } from "../an-address.ts";
import { it as browserIt } from "../browser/it.ts";
import { look } from "../browser/look.ts";
import { troublesOf } from "../browser/troubles.ts";
import { draw } from "../no-script/draw.ts";
import { aVisitor, type Visitor } from "../no-script/visitor.ts";
import { demand } from "../on-demand.ts";
import type { OwnShop } from "./own-shop.ts";

const withShop = browserIt
  .extend("example", { scope: "file" }, () => demand<string>(inject("onDemand"), "example"))
  .extend("ownShop", { scope: "file" }, () => demand<OwnShop>(inject("onDemand"), "ownShop"));

/**
 * A test of the example storefront, in front of the shared shop or of `ownShop` with an example of its own. Most pages
 * have no script: `aVisitor(example)` reads them and submits their forms, and `see` draws the visitor's page in a
 * browser and checks it. `aPage()` is for behaviour that needs a browser.
 */
export const it = withShop.extend("see", { scope: "file" }, async ({ browser, shop }, { onCleanup }) => {
  const context = await browser.newContext({
    baseURL: shop.base_url,
    // A page passed to the browser is treated as remote, and remote pages may not load images from this machine.
    permissions: ["local-network-access"],
  });
  onCleanup(() => context.close());
  const page = await context.newPage();
  const troubles = await troublesOf(page);
  return async (visitor: Visitor, name: string, looking?: Parameters<typeof look>[2]): Promise<void> => {
    await draw(page, visitor.answer());
    await look(page, `example-${name}`, looking);
    expect.soft(troubles.splice(0)).toEqual([]);
  };
});

/** Window options for a visitor with an unused address, because sign-ins and sign-ups are limited by address. */
export const shopperAt = (baseURL: string) => ({
  baseURL,
  extraHTTPHeaders: fromAnAddress(),
});

/** A visit of a signed-in shopper, as any page except the sign-in sees it. */
export function aVisitOf({ token }: { token: string }, baseURL: string): Visitor {
  const visitor = aVisitor(baseURL);
  visitor.cookies.set("shop-token", token);
  return visitor;
}

/** A browser window that continues a visitor's session. */
export function goingOn({ cookies }: Visitor, baseURL: string): BrowserContextOptions {
  const common = { domain: "localhost", path: "/", expires: -1, httpOnly: true, secure: false } as const;
  const kept = [...cookies].map(([name, value]) => ({ ...common, name, value, sameSite: "Lax" as const }));
  return { ...shopperAt(baseURL), storageState: { cookies: kept, origins: [] } };
}

export const told = (page: Page, words: string) => page.getByRole("status").getByText(words).waitFor();

/** Number of units in the cart, as shown in the page's header. */
export async function cartCount(page: Page): Promise<string | undefined> {
  const link = page.getByRole("navigation", { name: "Shop" }).getByRole("link", { name: "Cart" });
  return (await link.textContent())?.trim();
}

/** Number of units in the cart, as shown to a visitor in the page's header. */
export const cartCountOf = (visitor: Visitor): string => visitor.texts(".menu a[href=/cart]").join();

export async function addToCart(visitor: Visitor, search: string, name: string): Promise<void> {
  await visitor.open(`/?search=${encodeURIComponent(search)}`);
  await visitor.follow(name);
  await visitor.press("Add to cart");
  visitor.told("Added to your cart.");
}

export async function signIn(
  visitor: Visitor,
  { email, password }: { email: string; password: string },
): Promise<void> {
  visitor.fill("E-mail", email);
  visitor.fill("Password", password);
  await visitor.press("Sign in");
}

const BRISTOL = {
  Country: "United Kingdom",
  "Street address": "1 Quay Street",
  "Town or city": "Bristol",
  Postcode: "BS1 1AA",
};

export const BERLIN = { Country: "Germany", "Street address": "Torstraße 1", Postcode: "10119", City: "Berlin" };

type Place = Record<string, string> & { Country: string };

/** Chooses the country in a browser with script, which shows the country's fields, and fills them in. */
export async function fillAddress(page: Page, name: string, { Country, ...place }: Place = BRISTOL): Promise<void> {
  // The second one is the country of the billing address, which is hidden until it is needed.
  await page.getByLabel("Country").first().selectOption(Country);
  // A script that is still loading would hide the button during the click.
  await page.waitForLoadState();
  const fetchFields = page.getByRole("button", { name: /^(Continue|Change)$/ }).first();
  if (await fetchFields.isVisible()) await fetchFields.click();
  const lines = { "Full name": name, ...place };
  for (const [label, line] of Object.entries(lines)) await page.getByLabel(label, { exact: true }).fill(line);
}

/** Chooses the country, loads its fields by a button, and fills them in. */
export async function fillInAddress(
  visitor: Visitor,
  name: string,
  { Country, ...place }: Place = BRISTOL,
): Promise<void> {
  // The second one is the country of the billing address.
  visitor.choose("Country", Country, 0);
  await visitor.press(/^(Continue|Change)$/, 0);
  for (const [label, line] of Object.entries({ "Full name": name, ...place })) visitor.fill(label, line);
}

/** Text of the order button. It contains the amount, and whether payment is now or later. */
export const paying = (amount = "") => new RegExp(`[Pp]ay \\${amount || "$"}`);

export const pay = (page: Page, amount = "") => page.getByRole("button", { name: paying(amount) });

/** Saves the checkout as filled in, as the page's script does, so that a browser can continue with it. */
export const keepForm = (visitor: Visitor) =>
  visitor.send("/checkout", [...visitor.form("form.checkout"), ["update", "keep"]]);

/** Presses the order button three times before the shop responds, and returns the URL of the single order. */
export async function orderOnce(visitor: Visitor): Promise<string> {
  const form = visitor.form("form.checkout");
  const [one, other] = await Promise.all([
    visitor.send("/checkout", form),
    visitor.send("/checkout", form),
    visitor.press(paying()),
  ]);
  visitor.told("Your order is placed.");
  const path = visitor.path();
  expect(path).toMatch(/^\/orders\/\d+$/);
  expect([one, other].map(({ headers }) => headers.get("Location"))).toEqual([path, path]);
  return path;
}

/** Moves the focus to an element with the Tab key. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs < 60; tabs++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not reach ${target}`);
}
