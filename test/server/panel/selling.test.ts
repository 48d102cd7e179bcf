import { expect } from "vitest";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";
import { told } from "../browser/told.ts";
import { aBuyer } from "./buyer.ts";

const FILE = { name: "field-notes.txt", mimeType: "text/plain", buffer: Buffer.from("What the notes say.\n") };

it("uploads a file, sells it with a product, ships the order and refunds it", async ({ shop, aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/files");
  await page.getByRole("link", { name: "Upload file" }).click();
  await page.waitForURL("/admin/files/new");
  await page.getByLabel("Name").fill("Field notes");
  await page.getByLabel("Access").selectOption("package");
  await page.getByLabel("Published").check();
  await page.locator("input[type=file]").setInputFiles(FILE);
  await page.getByRole("button", { name: "Upload" }).click();
  await told(page, "Field notes was uploaded");

  await page.goto("/admin/products/new");
  await page.getByLabel("Name").fill("Notebook <script>alert(1)</script>");
  await page.getByLabel("SKU").fill("JOURNEY-1");
  await page.getByLabel("Price", { exact: false }).first().fill("12.505");
  await page.getByRole("button", { name: "Create product" }).click();
  await told(page, "can be read in two ways: write 12505 or 12505.00 for the larger amount");
  expect(await page.getByLabel("SKU").inputValue()).toBe("JOURNEY-1");
  await look(page, "product-refused");
  await page.getByLabel("Price", { exact: false }).first().fill("12.50");
  await page.getByLabel("Status").selectOption("active");
  await page.getByLabel("Count the stock").check();
  await page.getByLabel("Stock to begin with").fill("4");
  await page.getByLabel("Field notes").check();
  await page.getByRole("button", { name: "Create product" }).click();
  await told(page, "was created");
  const productId = Number(/products\/(\d+)/.exec(page.url())?.[1]);

  const buy = await aBuyer(shop);
  const order = await buy("/orders", {
    items: [{ product_id: productId, quantity: 2, price: 12.5 }],
    shipping_address: { name: "Casey", address: "12 Harbour Row", city: "Bristol", zip: "BS1 5TY" },
    payment_method: "wallet",
  });
  expect([order.status, order.data?.status]).toEqual([201, "processing"]);
  const { data: files } = await buy("/files?per_page=100");
  const file = files.find(({ name }: { name: string }) => name === "Field notes");
  expect((await buy(`/download-file?file_id=${file.id}`)).data.content).toBe("What the notes say.\n");

  await page.goto("/admin/orders");
  await page.getByRole("link", { name: order.data.number }).click();
  await page.getByLabel("Carrier").fill("Royal Mail");
  await page.getByLabel("Tracking number").fill("RM 1234");
  await page.getByRole("button", { name: "Ship order" }).click();
  await told(page, "The order is now shipped");
  expect((await buy(`/account/orders/${order.data.id}`)).data).toMatchObject({
    status: "shipped",
    shipment: { carrier: "Royal Mail", tracking_number: "RM 1234" },
  });

  await page.getByRole("button", { name: "Refund" }).first().click();
  await look(page, "order-refunding");
  await page.getByLabel(/^Notebook .*: of 2/).fill("2");
  await page.getByLabel("The goods come back to the stock").check();
  await page.getByRole("button", { name: "Refund now" }).click();
  await told(page, "The refund was made");
  await look(page, "order-refunded");
  expect((await buy(`/account/orders/${order.data.id}`)).data).toMatchObject({
    status: "refunded",
    refunded_total: 25,
  });
  expect((await buy(`/products/${productId}`)).data.stock_quantity).toBe(4);
  expect((await buy(`/download-file?file_id=${file.id}`)).status).toBe(403);

  await page.goto(`/admin/audit-log?subject=order&subject_id=${order.data.id}`);
  await page.getByText("order: refund").first().waitFor();
});
