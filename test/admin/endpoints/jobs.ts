import { createJob } from "../../../src/platform/jobs/jobs.ts";
import { oncePerFile } from "../../support/callers.ts";
import { aCheckedImport, anImport } from "../../support/jobs.ts";
import { asAdministrator } from "../../support/settings.ts";
import { db } from "../../support/shop.ts";
import { aForm } from "../../support/uploads.ts";
import type { AdminEndpoint, AdminEndpoints } from "./endpoint.ts";

let made = 0;

const rows = {
  products: () => `sku,name,type,price\nJOB-${++made},Imported,physical,5\n`,
  customers: () => `email,name\nimported-${++made}@shop.test,Imported\n`,
};

const aJob = async (): Promise<number> => (await anImport(rows.products(), { as: await asAdministrator() })).job_id;

/** A job for routes that only read it. */
const known = oncePerFile(aJob);

const aWaitingJob = async () => {
  const author = { actor: "user:1", address: null, requestId: "test", now: Date.now() };
  const { id } = await createJob({ db, author }, { kind: "import_products", parameters: {} });
  return { path: `/jobs/${id}/cancel`, body: {} };
};

const reads = { permission: "jobs:read", status: 200 } satisfies Partial<AdminEndpoint>;
const writes = { permission: "jobs:write", status: 200 } satisfies Partial<AdminEndpoint>;

const imports = (resource: "products" | "customers", permission: "products:write" | "users:write"): AdminEndpoints => {
  const checked = async () => aCheckedImport(rows[resource](), { as: await asAdministrator(), resource });
  const known = oncePerFile(checked);
  const path = `/imports/${resource}`;
  return {
    [`GET ${path}`]: { permission, status: 200, request: async () => ({ path }) },
    [`POST ${path}`]: {
      permission,
      status: 201,
      request: async () => ({ path, body: aForm({}, { content: rows[resource](), name: "rows.csv" }) }),
    },
    [`GET ${path}/:id`]: {
      permission,
      status: 200,
      request: async () => ({ path: `${path}/${(await known()).id}` }),
    },
    [`POST ${path}/:id/check`]: {
      permission,
      status: 200,
      request: async () => ({ path: `${path}/${(await checked()).id}/check`, body: { decimal_separator: "." } }),
    },
    [`POST ${path}/:id/start`]: {
      permission,
      status: 200,
      request: async () => ({ path: `${path}/${(await checked()).id}/start`, body: {} }),
    },
  };
};

export const jobs: AdminEndpoints = {
  "GET /jobs": { ...reads, request: async () => ({ path: "/jobs" }) },
  "GET /jobs/:id": { ...reads, also: "products:read_all", request: async () => ({ path: `/jobs/${await known()}` }) },
  "GET /jobs/:id/failures": {
    ...reads,
    also: "products:read_all",
    request: async () => ({ path: `/jobs/${await known()}/failures` }),
  },
  "POST /jobs/:id/cancel": { ...writes, also: "products:write", request: aWaitingJob },
  "POST /jobs/:id/undo": {
    ...writes,
    status: 201,
    also: "products:write",
    request: async () => ({ path: `/jobs/${await aJob()}/undo`, body: {} }),
  },
  ...imports("products", "products:write"),
  ...imports("customers", "users:write"),
};
