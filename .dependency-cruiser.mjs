// Which part of src may import which, and that no file imports itself through others, in scripts, tests and the example neither.
// The districts are a stack: each may import the districts below it, and nothing above.
// Within a district the second table holds. What neither names is refused, at any depth, types included: a new folder is added here
// before anything can import it or be imported by it.

/** The districts from the ground up, each with the folders in it and what these may import of their own district. */
const districts = {
  domain: { "": [] },
  platform: {
    settings: [],
    http: ["settings"],
    db: ["settings", "http"],
    metrics: ["settings", "http", "db"],
    "rate-limit": ["settings", "http", "db"],
    auth: ["settings", "http", "db", "metrics", "rate-limit"],
    audit: ["settings", "http", "db", "auth"],
    queues: ["settings", "http", "db", "auth"],
    idempotency: ["settings", "http", "db", "auth", "queues"],
    "catalogue-cache": ["settings", "http", "db", "auth"],
    administration: ["settings", "http", "db", "auth", "audit", "idempotency"],
    email: ["settings", "http", "db", "auth", "audit", "queues"],
    jobs: ["settings", "http", "db", "auth", "audit", "administration", "queues", "idempotency"],
  },
  downloads: { files: ["packages"], "license-keys": [], packages: [] },
  catalogue: { categories: [], images: [], pages: [], products: ["images"] },
  checkout: {
    cart: [],
    discounts: [],
    "gift-cards": ["transactions"],
    invoices: ["pricing"],
    orders: ["cart", "gift-cards", "invoices", "payments", "pricing", "subscriptions", "taxes"],
    payments: ["invoices", "orders", "subscriptions"],
    pricing: [],
    shipping: [],
    subscriptions: ["orders", "payments"],
    taxes: [],
    transactions: [],
  },
  accounts: { "personal-data": ["users"], users: [] },
  integrations: { agents: [], "api-keys": [], apps: ["api-keys", "webhooks"], events: [], webhooks: ["events"] },
  "back-office": {
    backups: [],
    "bulk-actions": [],
    exports: [],
    feeds: ["exports", "shop"],
    health: ["backups"],
    imports: [],
    metrics: ["backups", "health"],
    presets: ["shop"],
    sales: [],
    "saved-views": [],
    search: [],
    shop: [],
  },
};

/** The features of other districts that a feature may import. */
const across = {
  "catalogue/images": ["downloads/files"],
  "catalogue/products": ["downloads/license-keys"],
  "checkout/orders": [
    "catalogue/images",
    "catalogue/pages",
    "downloads/files",
    "downloads/license-keys",
    "downloads/packages",
  ],
  "accounts/personal-data": [
    "checkout/gift-cards",
    "checkout/orders",
    "checkout/subscriptions",
    "checkout/transactions",
    "downloads/license-keys",
    "downloads/packages",
  ],
  "accounts/users": ["checkout/cart", "checkout/transactions"],
  "integrations/apps": ["accounts/users"],
  "back-office/backups": ["downloads/files"],
  "back-office/bulk-actions": ["checkout/orders", "catalogue/products", "accounts/users"],
  "back-office/exports": [
    "downloads/files",
    "checkout/invoices",
    "checkout/orders",
    "catalogue/products",
    "checkout/transactions",
    "accounts/users",
  ],
  "back-office/feeds": ["catalogue/products"],
  "back-office/health": ["accounts/personal-data", "integrations/webhooks"],
  "back-office/imports": ["downloads/files", "catalogue/images", "catalogue/products", "accounts/users"],
  "back-office/saved-views": ["downloads/files", "checkout/orders", "catalogue/products", "accounts/users"],
  "back-office/sales": ["checkout/orders"],
  "back-office/search": ["checkout/orders"],
  "back-office/shop": ["catalogue/products"],
};

const ground = ["domain/"];
const platform = [...ground, "platform/"];
const allFeatures = Object.keys(districts)
  .filter((district) => !["domain", "platform"].includes(district))
  .map((district) => `${district}/`);

/** A feature may import the platform, and of other features their public.ts. The platform's own folders see each other whole. */
const folders = Object.entries(districts).flatMap(([district, members]) =>
  Object.entries(members).map(([folder, siblings]) => {
    const path = folder === "" ? `${district}/` : `${district}/${folder}/`;
    if (district === "domain") return [path, []];
    if (district === "platform") return [path, [...ground, ...siblings.map((other) => `platform/${other}/`)]];
    const others = [...siblings.map((other) => `${district}/${other}`), ...(across[`${district}/${folder}`] ?? [])];
    return [path, [...platform, ...others.map((other) => `${other}/public.ts`)]];
  }),
);

const mayImport = {
  ...Object.fromEntries(folders),
  // The object of deliveries also notifies agents.
  "apps/": [...platform, ...allFeatures, "ucp/order-webhook.ts"],
  "panel/": [...platform, ...allFeatures, "apps/new-app.ts", "apps/follow-events.ts"],
  // Pages behind links in e-mails, with the parts of the panel's pages.
  "account-pages/": [...platform, ...allFeatures, "panel/", "apps/new-app.ts"],
  "mcp/": [
    ...platform,
    "apps/new-app.ts",
    "apps/by-path.ts",
    "apps/follow-events.ts",
    "back-office/shop/shop.ts",
    "integrations/agents/agents.ts",
    "ucp/",
  ],
  "scheduled.ts": [...platform, ...allFeatures, "apps/follow-events.ts", "ucp/"],
  "ucp/": [...platform, ...allFeatures, "apps/new-app.ts", "apps/follow-events.ts"],
  "oauth/": [...platform, ...allFeatures, "apps/new-app.ts"],
  "app.ts": ["apps/", "oauth/", "panel/", "account-pages/", "mcp/", "ucp/"],
  "index.ts": [
    ...platform,
    ...allFeatures,
    "app.ts",
    "scheduled.ts",
    "apps/job-workflow.ts",
    "apps/webhook-endpoint.ts",
  ],
  "client/": [],
};

/** The tables of a feature. They import each other alone, and whatever may query the database may import them. */
const TABLES = "^src/.*[/.]tables\\.ts$";
const queries = (from, allowed) => from.startsWith("platform/") || allowed.includes("platform/");

/** The e-mails of a feature, which the outbox collects. */
const EMAILS = "/emails(\\.ts$|/)";

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
      from: { path: below(from), pathNot: TABLES },
      to: {
        path: "^(src|test|scripts|examples)/",
        pathNot: [
          ...[from, ...allowed].map(below),
          ...(queries(from, allowed) ? [TABLES] : []),
          ...(from === "platform/email/" ? [EMAILS] : []),
        ],
      },
    })),
    {
      name: "tables-stand-alone",
      severity: "error",
      from: { path: TABLES },
      to: {
        path: "^(src|test|scripts|examples)/",
        pathNot: [TABLES, "^src/domain/", "^src/platform/db/(columns|search-words)\\.ts$"],
      },
    },
    {
      name: "no-sql-in-routes-and-pages",
      comment: "Put the statement into a function of the feature and call it by its verb.",
      severity: "error",
      from: { path: ["^src/.*routes\\.tsx?$", "^src/panel/.*\\.tsx$"] },
      to: { path: "node_modules/drizzle-orm/" },
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
    // The panel's script imports itself alone, in browsers.
    exclude: { path: "^src/panel/browser/" },
  },
};
