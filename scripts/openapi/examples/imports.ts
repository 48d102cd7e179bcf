import type { Shop } from "./shop.ts";

/** Files that the examples import. */
export const PRODUCTS = `Type,SKU,Name,Published,Regular price,Categories,Tags,Stock
simple,MUG-BLUE,Blue mug,1,12.50,Kitchen,"blue, gift",40
simple,MUG-RED,Red mug,1,,Kitchen,red,12
`;
export const CUSTOMERS = `email,name,accepts_marketing
grace@example.com,Grace,true
`;
const MANY = `sku,name,type,price\n${Array.from({ length: 5_000 }, (_, n) => `MANY-${n},Many,physical,1`).join("\n")}\n`;

export async function importRows(shop: Shop): Promise<void> {
  const products = await importFile(shop, "Product", PRODUCTS);
  await importFile(shop, "Customer", CUSTOMERS);
  const job = { path: { id: products.job_id } };
  await shop.record("listJobs", { query: { per_page: "1", kind: "import_products" } });
  await shop.record("getJob", job);
  await shop.record("listJobFailures", { ...job, query: { per_page: "1" } });
  await shop.record("undoJob", { ...job, body: {} });
}

export async function backUp(shop: Shop): Promise<void> {
  const as = shop.access.api_keys.premium;
  await shop.record("startBackup", { body: {} });
  while ((await shop.ask("listBackups", { as })).backups.length === 0) await new Promise((go) => setTimeout(go, 1000));
  const { backups } = await shop.record("listBackups");
  await shop.record("getBackup", { path: { id: backups[0].id } });
}

/** Long enough to be cancelled. */
export async function cancelImport(shop: Shop): Promise<void> {
  const as = shop.access.api_keys.premium;
  const { id } = await shop.ask("createProductImport", { as, form: formOf(MANY, "many.csv") });
  await until(shop, "getProductImport", { as, path: { id } }, "ready");
  const { job_id } = await shop.ask("startProductImport", { as, path: { id }, body: {} });
  await shop.record("cancelJob", { path: { id: job_id }, body: {} });
}

async function importFile(shop: Shop, noun: "Product" | "Customer", content: string) {
  const as = shop.access.api_keys.premium;
  const { id } = await shop.record(`create${noun}Import`, { form: formOf(content, `${noun.toLowerCase()}s.csv`) });
  const it = { as, path: { id } };
  await until(shop, `get${noun}Import`, it, "ready");
  await shop.record(`get${noun}Import`, it);
  await shop.record(`check${noun}Import`, { ...it, body: { decimal_separator: "." } });
  await until(shop, `get${noun}Import`, it, "ready");
  await shop.record(`list${noun}Imports`, { query: { per_page: "1" } });
  await shop.record(`start${noun}Import`, { ...it, body: {} });
  await until(shop, `get${noun}Import`, it, "completed");
  return shop.ask(`get${noun}Import`, it);
}

async function until(shop: Shop, operation: string, it: { as: string; path: { id: number } }, state: string) {
  while ((await shop.ask(operation, it)).state !== state) await new Promise((resolve) => setTimeout(resolve, 1000));
}

function formOf(content: string, name: string): FormData {
  const form = new FormData();
  form.set("file", new File([content], name, { type: "text/csv" }));
  return form;
}
