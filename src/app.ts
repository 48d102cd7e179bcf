import { byPath } from "./apps/by-path.ts";
import { catalogue } from "./apps/catalogue.ts";

/** The Worker, with one app for each area of paths. The catalogue handles all other paths. */
export const app = byPath(
  [
    {
      paths: /^\/api\/v1\/user\/(?!(products|categories|pages)(\/|$))/,
      load: async () => (await import("./apps/storefront.ts")).storefront,
    },
    { paths: /^\/api\/v1\/webhooks\//, load: async () => (await import("./apps/webhooks.ts")).paymentWebhookApp },
    { paths: /^\/api\/v1\/admin\//, load: async () => (await import("./apps/administration.ts")).administration },
    { paths: /^\/mcp$/, load: async () => (await import("./mcp/shopping/app.ts")).shoppingMcpApp },
    { paths: /^\/mcp\/admin$/, load: async (fetch) => (await import("./mcp/admin/app.ts")).adminMcpApp(fetch) },
    {
      paths: /^\/(oauth\/(token|revoke)$|\.well-known\/oauth-)/,
      load: async () => (await import("./apps/oauth.ts")).oauthApp,
    },
    { paths: /^\/feeds\//, load: async () => (await import("./apps/feeds.ts")).feedApp },
    { paths: /^\/metrics$/, load: async () => (await import("./apps/metrics.ts")).metricsApp },
    { paths: /^\/images\//, load: async () => (await import("./apps/images.ts")).imageApp },
    {
      paths: /^\/(account\/|oauth\/authorize$)/,
      load: async () => (await import("./account-pages/routes.tsx")).linkPages,
    },
    { paths: /^\/(\.well-known\/ucp(\/|$)|ucp\/)/, load: async () => (await import("./ucp/app.ts")).ucpApp },
    { paths: /^\/docs(\/|$)/, load: async () => (await import("./apps/reference.ts")).reference },
    { paths: /^\/admin(\/|$)/, load: async () => (await import("./panel/app.tsx")).pages },
  ],
  catalogue,
);
