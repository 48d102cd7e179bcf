import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { told } from "../browser/told.ts";
import type { Hands, Jobs } from "./hands.ts";

const csv = (...rows: string[]) => ({
  name: "maps.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(["name,sku,type,price", ...rows].join("\n")),
});

async function check(hands: Hands, file: ReturnType<typeof csv>): Promise<void> {
  await hands.section("Products");
  await hands.link("Import");
  await hands.upload(hands.page.locator("main input[type=file]"), file);
  await hands.button("Check file");
}

/** Progress of the page's background job once it has ended. */
async function over({ page }: Hands): Promise<string | null> {
  await page.locator("#progress .badge", { hasText: "completed" }).waitFor();
  return page.locator("#progress p").textContent();
}

/** Total that the list shows. */
const totalOf = async ({ page }: Hands): Promise<number> =>
  Number(
    /of ([\d,]+)/.exec(String(await page.locator(".pagination > span").first().textContent()))?.[1]?.replace(",", ""),
  );

/** Jobs that change many rows. */
export const listJobs: Jobs = {
  "Export what a list shows": async (hands, { status }) => {
    const { page } = hands;
    await hands.section("Orders");
    await hands.filter("Status", status);
    await page.waitForURL(/status=/);
    const numbers = await page.locator("td[data-label=Number]").allTextContents();
    const total = await totalOf(hands);
    await hands.click(page.locator("summary", { hasText: "Export" }));
    const download = page.waitForEvent("download");
    await hands.click(page.getByRole("link", { name: "Orders, CSV" }));
    const [header = "", ...rows] = (await readFile(await (await download).path(), "utf8")).trimEnd().split("\r\n");
    const columns = header.split(",");
    const cells = (name: string) => rows.map((row) => row.split(",")[columns.indexOf(name)]);
    expect(new Set(cells("status"))).toEqual(new Set([status]));
    expect(cells("number")).toEqual(expect.arrayContaining(numbers));
    expect(rows.length).toBe(total);
  },
  "Check an import with an error": async (hands) => {
    await check(hands, csv("River Map,JOB-MAP,physical,12.50", "No Price,JOB-NONE,physical,much"));
    await hands.page.getByRole("table", { name: /rows|Failures/i }).waitFor();
  },
  "Import the corrected file": async (hands, { run }) => {
    await check(hands, csv(`River Map,MAP-${run},physical,12.50`, `Sea Map,SEA-${run},physical,9`));
    await hands.button("Import 2 products");
    await hands.page.getByRole("link", { name: "View or undo the import job" }).waitFor();
  },
  "Undo an import": async (hands) => {
    await hands.section("Settings");
    await hands.link("Jobs");
    await hands.click(hands.page.getByRole("table", { name: "Jobs" }).getByRole("link", { name: "Product import" }));
    await hands.button("Undo");
    await hands.click(hands.page.locator("dialog:popover-open").getByRole("button", { name: "Undo" }));
    await told(hands.page, "being undone");
    expect(await over(hands)).toContain("2 of 2 rows");
  },
  "Lower the prices of 120 products": async (hands, { many }) => {
    await hands.section("Products");
    await hands.search("Search", many);
    await hands.check("All on this page");
    await hands.check("All 120 in the list, on all pages");
    await hands.choose("Action", "price");
    await hands.type("By percent", "-10");
    await hands.button("Apply");
    await hands.page.waitForURL(/jobs/);
    expect(await over(hands)).toContain("120 of 120 rows");
  },
};
