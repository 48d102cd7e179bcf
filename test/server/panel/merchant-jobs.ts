import { told } from "../browser/told.ts";
import type { Facts, Hands, Jobs } from "./hands.ts";
import { listJobs } from "./merchant-list-jobs.ts";

const order = (hands: Hands, { number }: { number: string }) =>
  hands.way(number, async () => {
    await hands.section("Orders");
    await hands.search("Number, customer, product or tracking", number);
    await hands.link(number);
  });

const customer = (hands: Hands, { surname }: Facts) =>
  hands.way(surname, async () => {
    await hands.section("Customers");
    await hands.search("E-mail or name", surname);
    await hands.link(new RegExp(`\\b${surname}$`));
  });

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** Jobs of a merchant. Each begins at the menu unless it is about the overview. */
export const jobs: Jobs = {
  "Add a category": async (hands, { run }) => {
    await hands.section("Products");
    await hands.link("Categories");
    await hands.type("Name", `Maps ${run}`);
    await hands.button("Create category");
    await told(hands.page, "was created");
  },
  "Say how to pay by bank transfer": async (hands, { run }) => {
    await hands.section("Settings");
    await hands.link(/^Payments/);
    await hands.type("Instructions for the buyer", `IBAN GB33 BUKB 2020 1555 5555 55, and ${run}`);
    await hands.button("Save settings");
    await told(hands.page, "The payment settings were saved");
  },
  "Upload a file": async (hands, { run }) => {
    await hands.section("Products", "Files");
    await hands.link("Upload file");
    const file = { name: `route-${run}.txt`, mimeType: "text/plain", buffer: Buffer.from(`Route ${run}\n`) };
    await hands.upload(hands.page.locator("main input[type=file]"), file);
    await hands.type("Name", `Route ${run}`);
    await hands.choose("Access", "package");
    await hands.check("Published");
    await hands.button("Upload");
    await hands.page.waitForURL(/files\/\d+/);
  },
  "Create a product with a picture and a file": async (hands, { run }) => {
    await hands.section("Products");
    await hands.link("Create product");
    await hands.type("Name", `Chart ${run}`);
    await hands.type("SKU", `CHART-${run}`);
    await hands.choose("Status", "active");
    await hands.type("Price", "12.50");
    const picture = { name: "chart.png", mimeType: "image/png", buffer: PIXEL };
    await hands.upload(hands.page.locator("[data-images] input[type=file]"), picture);
    await hands.page.locator("[data-images] img").first().waitFor();
    await hands.click(hands.page.getByRole("heading", { name: "Downloads" }));
    await hands.check(new RegExp(`^Route ${run}`));
    await hands.button("Create product");
    await told(hands.page, "was created");
  },
  "Create a shirt in 3 sizes and 4 colors with 12 stocks": async (hands, { run }) => {
    const { page } = hands;
    await hands.section("Products");
    await hands.link("Create product");
    await hands.type("Name", `Shirt ${run}`);
    await hands.type("SKU", `SHIRT-${run}`);
    await hands.choose("Status", "active");
    await hands.type("Price", "49");
    await hands.click(page.getByRole("heading", { name: "Options" }));
    await hands.type("Option 1", "Size");
    await hands.fill(page.getByLabel("Values").nth(0), "S, M, L,");
    await hands.type("Option 2", "Color");
    await hands.fill(page.getByLabel("Values").nth(1), "Blue, White, Black, Green,");
    await hands.button("Create product");
    await told(page, "was created");
    await hands.button("Generate 12 variants");
    await told(page, "12 variants were created");
    const stocks = page.locator('.list [name$=".on_hand"]');
    for (let row = 0; row < 12; row++) await hands.fill(stocks.nth(row), String(30 + row));
    await hands.button("Save variants");
    await told(page, "12 variants were saved");
    await page.getByRole("heading", { name: "12 variants, 426 in stock" }).waitFor();
  },
  "Put a product into draft": async (hands, { run }) => {
    await hands.section("Products");
    await hands.search("Search", `Chart ${run}`);
    await hands.link(`Chart ${run}`);
    await hands.choose("Status", "draft");
    await hands.button("Save product");
    await told(hands.page, "saved");
  },
  "Set a product of a list active": async (hands, { run }) => {
    await hands.section("Products");
    await hands.search("Search", `Chart ${run}`);
    await hands.click(hands.page.locator("main td.select input[name=ids]"));
    await hands.choose("Action", "activate");
    await hands.button("Apply");
    await told(hands.page, "Updated 1 product");
  },
  "Find a customer by surname": async (hands, facts) => {
    await customer(hands, facts);
    await hands.page.getByRole("heading", { name: "Lifetime value" }).waitFor();
  },
  "Mark an order as paid": async (hands, { unpaid }) => {
    await order(hands, unpaid);
    await hands.button("Mark paid");
    await hands.click(hands.page.locator("dialog:popover-open").getByRole("button", { name: "Mark paid" }));
    await told(hands.page, "The order is now processing");
  },
  "Ship two of three lines": async (hands, { paid }) => {
    await order(hands, paid);
    await hands.fill(hands.page.locator(".units .field", { hasText: "of 3" }).getByRole("textbox").first(), "0");
    await hands.type("Carrier", "Royal Mail");
    await hands.type("Tracking number", "RM 1");
    await hands.button("Ship order");
    await told(hands.page, "remaining items are still to be sent");
  },
  "Refund an amount": async (hands, { paid }) => {
    await order(hands, paid);
    await hands.button("Refund");
    await hands.type("Or enter an amount", "1.50");
    await hands.button("Refund $1.50");
    await told(hands.page, "The refund was made");
  },
  "Note something on an order": async (hands, { paid }) => {
    await order(hands, paid);
    await hands.type("Internal note", "Asked for a gift box");
    await hands.button("Add note");
    await told(hands.page, "The note was added");
  },
  "Print a packing slip": async (hands, { paid }) => {
    await order(hands, paid);
    await hands.link("Packing slip");
    await hands.page.getByRole("heading", { name: "Packing slip, parcel 1" }).waitFor();
  },
  "Print an invoice": async (hands, { paid }) => {
    await order(hands, paid);
    await hands.link("Invoice");
    await hands.page.getByRole("heading", { name: `Order ${paid.number}` }).waitFor();
  },
  "Print packing slips from the list": async (hands, { paid }) => {
    await hands.section("Orders");
    await hands.search("Number, customer, product or tracking", paid.number);
    await hands.click(hands.page.locator("main td.select input[name=ids]"));
    await hands.choose("Action", "packing-slips");
    await hands.button("Apply");
    await hands.page.getByRole("heading", { name: "Packing slip" }).waitFor();
  },
  "Credit a customer": async (hands, facts) => {
    await customer(hands, facts);
    await hands.button("Credit wallet");
    await hands.type("Amount", "5");
    await hands.type("Reason", "Sorry for the delay");
    await hands.click(hands.page.locator("dialog:popover-open").getByRole("button", { name: "Credit wallet" }));
    await told(hands.page, "The wallet now holds");
  },
  "Grant a download": async (hands, facts) => {
    await customer(hands, facts);
    await hands.link("Grant download");
    await hands.type("Name", `Route ${facts.run}`);
    await hands.check(new RegExp(`^Route ${facts.run}`));
    await hands.button("Grant package");
    await told(hands.page, "granted");
  },
  "See what a customer may download": async (hands, facts) => {
    await customer(hands, facts);
    await hands.page.getByRole("table", { name: "Packages" }).getByText(`Route ${facts.run}`).waitFor();
  },
  "Grant a download to somebody by surname": async (hands, { run, surname }) => {
    await hands.section("Customers", "Packages");
    await hands.link("Grant package");
    await hands.pick("Customer", surname);
    await hands.type("Name", `Gift ${run}`);
    await hands.check(new RegExp(`^Route ${run}`));
    await hands.button("Grant package");
    await told(hands.page, "granted");
  },
  "See what somebody paid, by surname": async (hands, { surname }) => {
    await hands.section("Reports", "Transactions");
    await hands.pick("Customer", surname);
    await hands.page.waitForURL(/user_id=/);
  },
  "See what runs low": async (hands) => {
    await hands.home();
    await hands.link(/running low/);
    await hands.page.getByRole("heading", { name: "Products", exact: true }).waitFor();
  },
  "See the sales of 30 days": async (hands) => {
    await hands.section("Reports");
    await hands.link("30 days");
    await hands.page.getByRole("heading", { name: "Best products" }).waitFor();
  },
  "Save a view of a list": async (hands, { run, status }) => {
    await hands.section("Orders");
    await hands.filter("Status", status);
    await hands.page.waitForURL(/status=/);
    await hands.click(hands.page.getByText("Save view", { exact: true }));
    await hands.type("Name", `Ended ${run}`);
    await hands.button("Save view");
    await told(hands.page, "was saved");
  },
  "Create a discount code": async (hands, { run }) => {
    await hands.section("Discounts");
    await hands.link("Create discount");
    await hands.type("Name", `Spring ${run}`);
    await hands.type("Code", `SPRING${run}`);
    await hands.type("Percent off", "10");
    await hands.button("Create discount");
    await told(hands.page, "was created");
  },
  "Create an API key": async (hands, { run }) => {
    await hands.section("API Manager");
    await hands.link("Create New API Key");
    await hands.type("Name", `Reports ${run}`);
    await hands.check(/orders.*read|read.*orders/i);
    await hands.button("Create New API Key");
    await hands.page.getByRole("link", { name: "I have copied it" }).waitFor();
  },
  ...listJobs,
};
