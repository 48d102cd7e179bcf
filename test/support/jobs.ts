import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { runners } from "../../src/apps/job-steps.ts";
import { JOB_QUERIES } from "../../src/platform/db/d1-limits.ts";
import { runSlice } from "../../src/platform/jobs/run-slice.ts";
import { call } from "./call.ts";
import { counting, QUERY_LIMIT } from "./counting.ts";
import { aForm } from "./uploads.ts";

/** Runs a job at once, as its workflow would. A slice may begin when the queries of its invocation are nearly used up. */
export async function runJob(id: number, given: Partial<Env> = {}): Promise<void> {
  for (let weight = 1; weight > 0; ) {
    const { bindings, work } = counting<Env>({ ...env, ...given });
    weight = await runSlice(bindings, runners, id);
    expect(work.statements).toBeLessThanOrEqual(QUERY_LIMIT - JOB_QUERIES);
  }
}

export const jobOf = async (id: number, as: string) => (await call(`GET /admin/jobs/${id}`, { as })).body.data;

export const failuresOf = async (id: number, as: string) =>
  (await call(`GET /admin/jobs/${id}/failures?per_page=100`, { as })).body.data;

/** The product or variant with this SKU. */
export async function productBySku(sku: string, as: string) {
  const id = await env.DB.prepare("SELECT id FROM products WHERE sku = ?").bind(sku).first("id");
  return id === null ? undefined : (await call(`GET /admin/products/${id}`, { as })).body.data;
}

/** Uploads a file and has it validated. */
export async function aCheckedImport(
  content: string | Uint8Array<ArrayBuffer>,
  {
    as,
    resource = "products",
    name = "products.csv",
    readAs = {},
  }: { as: string; resource?: "products" | "customers"; name?: string; readAs?: Record<string, string> },
) {
  const { body } = await call(`POST /admin/imports/${resource}`, { as, body: aForm(readAs, { content, name }) });
  await runJob(body.data.check_job_id);
  return (await call(`GET /admin/imports/${resource}/${body.data.id}`, { as })).body.data;
}

/** Imports a file to the end. */
export async function anImport(
  content: string | Uint8Array<ArrayBuffer>,
  options: Parameters<typeof aCheckedImport>[1],
) {
  const { id, resource } = await aCheckedImport(content, options);
  const { body } = await call(`POST /admin/imports/${resource}/${id}/start`, { as: options.as, body: {} });
  await runJob(body.data.job_id);
  return (await call(`GET /admin/imports/${resource}/${id}`, { as: options.as })).body.data;
}
