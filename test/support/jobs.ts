import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { runners } from "../../src/apps/job-steps.ts";
import { JOB_QUERIES } from "../../src/platform/db/d1-limits.ts";
import { runSlice } from "../../src/platform/jobs/run-slice.ts";
import { anAdmin } from "./administration.ts";
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

// Each of these requests is sent as an administrator that the tests of a file share, or `as` another.

const read = async (path: string, as?: string) =>
  (await call(`GET /admin/${path}`, { as: as ?? (await anAdmin()).token })).body.data;

export const jobOf = (id: number, as?: string) => read(`jobs/${id}`, as);

export const failuresOf = (id: number, as?: string) => read(`jobs/${id}/failures?per_page=100`, as);

/** The product or variant with this SKU. */
export async function productBySku(sku: string, as?: string) {
  const id = await env.DB.prepare("SELECT id FROM products WHERE sku = ?").bind(sku).first("id");
  return id === null ? undefined : read(`products/${id}`, as);
}

type Importing = { as?: string; resource?: "products" | "customers"; name?: string; readAs?: Record<string, string> };

/** Uploads a file and has it validated. */
export async function aCheckedImport(
  content: string | Uint8Array<ArrayBuffer>,
  { as, resource = "products", name = "products.csv", readAs = {} }: Importing = {},
) {
  const sender = as ?? (await anAdmin()).token;
  const { body } = await call(`POST /admin/imports/${resource}`, {
    as: sender,
    body: aForm(readAs, { content, name }),
  });
  await runJob(body.data.check_job_id);
  return read(`imports/${resource}/${body.data.id}`, sender);
}

/** Imports a file to the end. */
export async function anImport(content: string | Uint8Array<ArrayBuffer>, options: Importing = {}) {
  const as = options.as ?? (await anAdmin()).token;
  const { id, resource } = await aCheckedImport(content, { ...options, as });
  const { body } = await call(`POST /admin/imports/${resource}/${id}/start`, { as, body: {} });
  await runJob(body.data.job_id);
  return read(`imports/${resource}/${id}`, as);
}
