import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";

// The shop is shared by all tests, so nothing here may change what other tests' orders cost.

it("previews the setup of a shop, and writes nothing", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/shop");
  await page.getByRole("link", { name: "Set up shipping and taxes" }).click();
  await page.getByRole("link", { name: "Set up in the European Union" }).click();
  await page.getByLabel("The shop's country").selectOption("Germany");
  await page.getByLabel("Domestic shipping").fill("4,90");
  await page.getByLabel("Shipping to the rest of the EU").fill("9.90");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("heading", { name: "This will be created" }).waitFor();
  await look(page, "set-up-plan");
  await page.getByRole("button", { name: "Change something" }).click();
  await page.getByLabel("Shipping to the rest of the EU").fill("12.90");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("table", { name: "Shipping zones" }).getByText("$12.90").waitFor();
  await page.goto("/admin/shipping-zones");
  await page.getByText("No shipping zones yet").waitFor();
});

it("adds a tax rate, edits it and deletes it", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/tax-rates/new");
  await page.getByLabel("Country").selectOption("Iceland");
  await page.getByLabel("Name").fill("VSK");
  await page.getByLabel("Rate in percent").fill("24,5");
  await page.getByRole("button", { name: "Create rate" }).click();
  await page.getByRole("table", { name: "Tax rates" }).getByText("24.5 %").waitFor();
  await look(page, "tax-rates-some");
  await page.getByRole("link", { name: "Iceland" }).click();
  await look(page, "tax-rate");
  await page.getByLabel("Rate in percent").fill("24");
  await page.getByRole("button", { name: "Save rate" }).click();
  await page.getByRole("table", { name: "Tax rates" }).getByText("24 %").waitFor();
  await page.getByRole("link", { name: "Iceland" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("The rate was deleted").waitFor();
});

it("shows the shop's name above the menu and its time zone below as soon as they are saved", async ({
  aSignedInPage,
}) => {
  const page = await aSignedInPage();
  await page.goto("/admin/shop");
  await page.route("**/admin/settings", async (route) => {
    const response = await route.fetch();
    const body = (await response.text())
      .replace("Times in UTC", "Times in Europe/Berlin")
      .replaceAll("<span>Storefront</span>", "<span>Lamps</span>");
    await route.fulfill({ response, body });
  });
  await page.locator("#menu").getByRole("link", { name: "Settings" }).click();
  await page.getByText("Times in Europe/Berlin").waitFor();
  await page.locator("#menu").getByRole("link", { name: "Lamps" }).waitFor();
});
