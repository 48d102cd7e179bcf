// Which part of src may import which. What is not named here is refused, at any depth, types included: a new folder is added to
// this table before anything can import it or be imported by it.

const errors = ["errors.ts", "error-codes.ts", "error-details.ts"];
const base = [...errors, "domain/", "settings/"];
const platform = [
  ...base,
  "http/",
  "db/",
  "rate-limit/",
  "auth/",
  "audit/",
  "idempotency/",
  "catalogue-cache/",
  "administration/",
  "email/",
  "jobs/",
];

/** The features, and the features whose `public.ts` each may import. */
const features = {
  "api-keys": [],
  cart: [],
  categories: [],
  discounts: [],
  events: [],
  exports: ["files", "orders", "products", "transactions", "users"],
  files: ["packages"],
  images: ["files"],
  "bulk-actions": ["orders", "products"],
  imports: ["files", "images", "products", "users"],
  orders: ["cart", "payments", "pricing"],
  packages: [],
  "personal-data": ["orders", "packages", "transactions", "users"],
  payments: [],
  pricing: [],
  presets: [],
  products: ["images"],
  "saved-views": ["files", "orders", "products", "users"],
  search: ["orders"],
  sales: [],
  shipping: [],
  shop: [],
  taxes: [],
  transactions: [],
  users: ["cart", "transactions"],
  webhooks: ["events"],
};
const allFeatures = Object.keys(features).map((name) => `${name}/`);

const mayImport = {
  "errors.ts": ["error-codes.ts", "error-details.ts"],
  "error-details.ts": ["error-codes.ts"],
  "error-codes.ts": [],
  "domain/": errors,
  "settings/": [],
  "http/": base,
  "db/": [...base, "http/"],
  "rate-limit/": [...base, "http/"],
  "auth/": [...base, "http/", "db/", "rate-limit/"],
  "audit/": [...base, "http/", "db/", "auth/"],
  "idempotency/": [...base, "http/", "db/", "auth/"],
  "administration/": [...base, "http/", "db/", "auth/", "audit/", "idempotency/"],
  "email/": [...base, "http/", "db/", "auth/", "audit/"],
  "jobs/": [...base, "http/", "db/", "auth/", "audit/", "idempotency/"],
  "catalogue-cache/": [...base, "http/", "db/", "auth/"],
  ...Object.fromEntries(
    Object.entries(features).map(([name, others]) => [
      `${name}/`,
      [...platform, ...others.map((other) => `${other}/public.ts`)],
    ]),
  ),
  "apps/": [...platform, ...allFeatures],
  "panel/": [...platform, ...allFeatures, "apps/new-app.ts", "apps/follow-events.ts"],
  "scheduled.ts": [...platform, ...allFeatures, "apps/follow-events.ts"],
  "app.ts": ["apps/", "panel/"],
  "index.ts": [...platform, ...allFeatures, "app.ts", "scheduled.ts", "apps/job-workflow.ts"],
  "client/": [],
};

/** A path below src as a regular expression: a folder with all that is in it, or one file. */
const below = (path) => `^src/${path.replaceAll(".", "\\.")}${path.endsWith("/") ? "" : "$"}`;

export default {
  forbidden: [
    {
      name: "no-cycle",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "not-in-the-table",
      comment: "Add the folder to .dependency-cruiser.mjs, with what it may import.",
      severity: "error",
      from: { path: "^src/", pathNot: [...Object.keys(mayImport).map(below), "\\.d\\.ts$"] },
      to: {},
    },
    ...Object.entries(mayImport).map(([from, allowed]) => ({
      name: `imports-of-${from.replace(/\W+$/, "")}`,
      comment: `src/${from} may import ${["itself", ...allowed].join(", ")}. A feature offers its public.ts to those that .dependency-cruiser.mjs names.`,
      severity: "error",
      from: { path: below(from) },
      to: { path: "^(src|test|scripts|examples)/", pathNot: [from, ...allowed].map(below) },
    })),
    {
      name: "sql-in-queries-only",
      comment: "Put the statement into a *queries.ts of this folder and call it by its verb.",
      severity: "error",
      from: { path: "^src/", pathNot: ["queries\\.ts$", "^src/platform/db/"] },
      to: { path: "node_modules/drizzle-orm/" },
    },
    {
      name: "no-context-in-queries",
      comment: "Queries take the values that they need as arguments.",
      severity: "error",
      from: { path: "^src/.*queries\\.ts$" },
      to: { path: "node_modules/hono/" },
    },
    {
      name: "client-stands-alone",
      comment: "The client runs wherever fetch does, and is built from the OpenAPI document alone.",
      severity: "error",
      from: { path: "^src/client/" },
      to: { dependencyTypesNot: ["local", "npm"] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    // dist is rebuilt while this reads.
    doNotFollow: { path: "node_modules|^dist/" },
  },
};
