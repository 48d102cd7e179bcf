import type { Page } from "playwright-core";
import { fromAnAddress } from "../an-address.ts";
import { it as browserIt } from "../browser/it.ts";
import { openExample } from "./open.ts";

/** A test of the example storefront, in front of the shop that all tests share. */
export const it = browserIt.extend("example", { scope: "file" }, async ({ shop }, { onCleanup }) => {
  const { baseURL, close } = await openExample(shop);
  onCleanup(close);
  return baseURL;
});

/** A window of somebody at an address of their own: sign-ins and sign-ups are limited by address. */
export const shopperAt = (baseURL: string) => ({
  baseURL,
  extraHTTPHeaders: fromAnAddress(),
});

export const told = (page: Page, words: string) => page.getByRole("status").getByText(words).waitFor();

/** Number of units in the cart, as the page's header shows it. */
export async function cartCount(page: Page): Promise<string | undefined> {
  const link = page.getByRole("navigation", { name: "Shop" }).getByRole("link", { name: "Cart" });
  return (await link.textContent())?.trim();
}

export async function addToCart(page: Page, search: string, name: string): Promise<void> {
  await page.goto("/");
  await page.getByLabel("Search").fill(search);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("button", { name: "Add to cart" }).click();
  await page.getByRole("heading", { name: "Cart" }).waitFor();
}

export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const BRISTOL = {
  Country: "United Kingdom",
  "Street address": "1 Quay Street",
  "Town or city": "Bristol",
  Postcode: "BS1 1AA",
};

/** Fills in an address, country first: the other fields are those of the country. Without script, a button fetches them. */
export async function fillAddress(
  page: Page,
  name: string,
  { Country, ...place }: Record<string, string> & { Country: string } = BRISTOL,
): Promise<void> {
  // Behind it is the country of an address for the invoice, which shows once it is wanted.
  await page.getByLabel("Country").first().selectOption(Country);
  // A script that is still loading would hide the button in the middle of the click.
  await page.waitForLoadState();
  const fetchFields = page.getByRole("button", { name: /^(Continue|Change)$/ }).first();
  if (await fetchFields.isVisible()) await fetchFields.click();
  const lines = { "Full name": name, ...place };
  for (const [label, line] of Object.entries(lines)) await page.getByLabel(label, { exact: true }).fill(line);
}

/** The button that orders: it says the amount, and whether it is paid now or later. */
export const pay = (page: Page, amount = "") =>
  page.getByRole("button", { name: new RegExp(`[Pp]ay \\${amount || "$"}`) });

/** Sends the form of the checkout as it stands, and says which page answers it. */
export async function sendCheckout(page: Page): Promise<string | undefined> {
  const form: Record<string, string> = await page.evaluate(
    "Object.fromEntries(new FormData(document.querySelector('form.checkout')))",
  );
  const headers = { Origin: new URL(page.url()).origin };
  const response = await page.request.post("/checkout", { form, headers, maxRedirects: 0 });
  return response.headers().location;
}
