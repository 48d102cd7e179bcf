import type { Page } from "playwright-core";
import { expect } from "vitest";
import { aPng } from "../../support/image-bytes.ts";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { DIALOG, look } from "../browser/look.ts";
import { told } from "../browser/told.ts";
import { aBuyer } from "./buyer.ts";

/** An image of one colour. */
const imageOf = (shade: number) => ({
  name: `view-${shade}.png`,
  mimeType: "image/png",
  buffer: Buffer.from(aPng({ width: 400, height: 300, shade })),
});

/** Formats the description by buttons and keys, which shows it as it will look. Undo works as in an editor. */
async function formatDescription(page: Page) {
  const text = page.getByLabel("Description", { exact: true });
  const tool = (name: string) =>
    page.getByRole("group", { name: "Formatting" }).getByRole("button", { name, exact: true });
  const shown = () => text.innerHTML();
  const fillWith = async (written: string) => {
    await text.fill(written);
    await text.press("ControlOrMeta+a");
  };
  await fillWith("warm");
  await text.press("ControlOrMeta+b");
  expect(await shown()).toBe("<p><b>warm</b></p>");
  expect(await tool("Bold").getAttribute("aria-pressed")).toBe("true");
  await text.press("ControlOrMeta+z");
  expect(await shown()).toBe("<p>warm</p>");
  await fillWith("Care");
  await tool("Heading").click();
  await text.press("End");
  await text.press("Enter");
  await text.pressSequentially("Wash warm");
  await text.press("Shift+ControlOrMeta+ArrowLeft");
  page.once("dialog", (dialog) => dialog.accept("shop.test/care"));
  await tool("Link").click();
  await text.press("End");
  await text.press("Enter");
  await tool("Numbered list").click();
  await tool("List").click();
  await text.pressSequentially("2 * 3 _cm_");
  await look(page, "product-formatting");
  await page.getByRole("button", { name: "Save product" }).click();
  await page.getByRole("button", { name: "Markdown" }).click();
  expect(await page.getByLabel("Description", { exact: true }).inputValue()).toBe(
    "## Care\n\nWash [warm](https://shop.test/care)\n\n- 2 * 3 \\_cm\\_",
  );
}

/** Alternative texts of the form's images, once `count` images are uploaded. */
async function shownIn(page: Page, count: number): Promise<string[]> {
  const images = page.locator("[data-images] li:has(img)");
  await images.nth(count - 1).waitFor();
  return page.evaluate<string[]>("[...document.querySelectorAll('[data-images] li input')].map(({ value }) => value)");
}

/**
 * Drags one image above another by dispatching events, because native dragging does not always start when automated.
 */
async function dragAbove(page: Page, from: number, to: number): Promise<void> {
  const items = page.locator("[data-images] li");
  const image = items.nth(from).locator("img");
  const dataTransfer = await page.evaluateHandle<object>("new DataTransfer()");
  await image.dispatchEvent("dragstart", { dataTransfer });
  const { y = 0 } = (await items.nth(to).boundingBox()) ?? {};
  await items.nth(to).dispatchEvent("dragover", { dataTransfer, clientY: y + 2 });
  // The image has moved already.
  await items.nth(to).locator("img").dispatchEvent("dragend", { dataTransfer });
}

const FILE = { name: "field-notes.txt", mimeType: "text/plain", buffer: Buffer.from("What the notes say.\n") };

it("uploads a file, sells it with a product, ships the order and refunds it", LONG, async ({ shop, aSignedInPage }) => {
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
  await page.getByLabel("Name").fill("n".repeat(10_000));
  await page.getByText("10,000 of 200 characters").waitFor();
  await page.getByLabel("SKU").fill("JOURNEY-1");
  await page.getByLabel("Price", { exact: false }).first().fill("$12.50");
  await page.getByRole("button", { name: "Create product" }).click();
  await told(page, "Name: must have at most 200 characters");
  expect(await page.getByLabel("Name").inputValue()).toHaveLength(10_000);
  await page.getByLabel("Name").fill("Notebook <script>alert(1)</script>");
  const chooser = page.locator("[data-images] input[type=file]");
  await chooser.setInputFiles([imageOf(1), imageOf(2), { ...FILE, mimeType: "image/png" }]);
  await page.getByText("field-notes.txt: must be a PNG").waitFor();
  await shownIn(page, 2);
  await page.getByLabel("What image 1 shows").fill("Front");
  await page.getByLabel("What image 2 shows").fill("Back");
  await page.getByLabel("Address of an image").fill(`${shop.base_url}/demo/waxed-canvas-satchel.webp`);
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByLabel("What image 3 shows").fill("Inside");
  await page.getByRole("button", { name: "Move image 3 up" }).press("Enter");
  await expect.poll(() => shownIn(page, 3)).toEqual(["Front", "Inside", "Back"]);
  await dragAbove(page, 2, 0);
  await expect.poll(() => shownIn(page, 3)).toEqual(["Back", "Front", "Inside"]);
  await page.getByLabel("Price", { exact: false }).first().fill("12.505");
  await page.getByRole("button", { name: "Create product" }).click();
  await told(page, "can mean 12505.00 or 12.505");
  expect(await page.getByLabel("SKU").inputValue()).toBe("JOURNEY-1");
  await expect.poll(() => shownIn(page, 3)).toEqual(["Back", "Front", "Inside"]);
  await page.getByRole("button", { name: "Remove image 3" }).click();
  await look(page, "product-refused");
  await page.getByLabel("Price", { exact: false }).first().fill("12.50");
  await page.getByLabel("Status").selectOption("active");
  await page.getByLabel("Initial stock").fill("4");
  expect(await page.getByLabel("Manage stock").isChecked()).toBe(true);
  await page.getByLabel("Description", { exact: true }).fill("First paragraph.\n\nSecond paragraph.");
  await page.getByLabel("Type").selectOption("digital");
  await page.getByLabel("Weight").waitFor({ state: "hidden" });
  await page.getByLabel("Type").selectOption("physical");
  await page.getByLabel("Weight").fill("250");
  await page.getByLabel("Field notes").check();
  const page2 = { name: "page-two.txt", mimeType: "text/plain", buffer: Buffer.from("The second page.\n") };
  await page.getByLabel("Upload files").setInputFiles([page2, { ...page2, name: "page-two.pdf" }]);
  await page.getByText("page-two.pdf: is named .pdf, but its content").waitFor();
  expect(await page.getByLabel("page-two.txt (page-two.txt)").isChecked()).toBe(true);
  await look(page, "product-filled");
  await page.getByRole("button", { name: "Create product" }).click();
  await told(page, "was created");
  await expect
    .poll(() => page.getByLabel("Description", { exact: true }).locator("p").allTextContents())
    .toEqual(["First paragraph.", "Second paragraph."]);
  await formatDescription(page);
  await page.getByRole("button", { name: "Save product" }).waitFor({ state: "hidden" });
  expect(await page.getByLabel("page-two.txt (page-two.txt)").isChecked()).toBe(true);
  await page.getByRole("button", { name: "Adjust stock" }).click();
  await page.getByLabel("Pieces").fill("-1");
  await page.getByLabel("Reason").fill("Torn");
  await look(page, "stock-dialog", { within: DIALOG });
  await page.locator("dialog").getByRole("button", { name: "Adjust stock" }).click();
  await told(page, "The stock is now 3");
  const productId = Number(/products\/(\d+)/.exec(page.url())?.[1]);

  await expect.poll(() => shownIn(page, 2)).toEqual(["Back", "Front"]);
  await page.goto("/admin/products?search=notebook+script");
  const loaded =
    "(async () => { const image = document.querySelector('td img.thumbnail'); await image.decode(); return image.naturalWidth; })()";
  expect(await page.evaluate(loaded)).toBe(160);
  await look(page, "products-with-images");

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
  await look(page, "order-refunding", { within: DIALOG });
  await page
    .getByRole("dialog")
    .getByLabel(/^Notebook /)
    .fill("2");
  await page.getByLabel("Return items to stock").check();
  await page.getByRole("button", { name: /^Refund (now|\$)/ }).click();
  await told(page, "The refund was made");
  await look(page, "order-refunded");
  expect((await buy(`/account/orders/${order.data.id}`)).data).toMatchObject({
    status: "refunded",
    refunded_total: 25,
  });
  expect((await buy(`/products/${productId}`)).data.stock_quantity).toBe(3);
  expect((await buy(`/download-file?file_id=${file.id}`)).status).toBe(403);

  await page.goto(`/admin/orders/${order.data.id}/invoice`);
  const print = page.getByRole("button", { name: "Print" });
  await page.getByText("Print with your browser").waitFor({ state: "hidden" });
  await print.waitFor();
  await page.emulateMedia({ media: "print" });
  await print.waitFor({ state: "hidden" });
  await page.emulateMedia({ media: "screen" });

  await page.goto(`/admin/audit-log?subject=order&subject_id=${order.data.id}`);
  await page.getByText("Refunded order").first().waitFor();
});
