/** Groups of routes, in order. The first match applies. */
export const tags = [
  {
    name: "Products",
    of: /^\/api\/v1\/user\/(products|categories)/,
    description:
      "The catalogue. Readable without a credential if the shop allows it. Responses are at most 30 seconds old.",
  },
  {
    name: "Cart",
    of: /^\/api\/v1\/user\/cart/,
    description: "The cart of a user, or of a guest identified by X-Cart-Token.",
  },
  {
    name: "Orders",
    of: /^\/api\/v1\/user\/(checkout|withdrawals|(account\/)?(orders|returns|invoices|subscriptions))/,
    description:
      "Placing and reading orders. Send an Idempotency-Key with each order so that a retry never places it twice.",
  },
  {
    name: "Pages",
    of: /^\/api\/v1\/user\/pages/,
    description: "The shop's terms, privacy policy, imprint and other pages. Each change of a page makes a version.",
  },
  { name: "Sessions", of: /^\/api\/v1\/user\/auth/, description: "Sign-up, sign-in, tokens and sign-out." },
  {
    name: "Downloads",
    of: /^\/api\/v1\/user\/(files|download|account\/packages|account\/license-keys)/,
    description:
      "Files and the download packages that give access to them. Public files need no credential. Resuming a download does not count as another one.",
  },
  {
    name: "Licenses",
    of: /^\/api\/v1\/user\/licenses/,
    description: "Checks of license keys by the software that they are for.",
  },
  {
    name: "Gift cards",
    of: /^\/api\/v1\/user\/account\/gift-cards/,
    description: "Gift cards of paid orders, and their redemption into the wallet.",
  },
  { name: "Account", of: /^\/api\/v1\/user\/account/, description: "The caller's profile, addresses and wallet." },
  { name: "Webhooks", of: /^\/api\/v1\/webhooks/, description: "Webhooks received from payment providers." },
  {
    name: "Admin: search",
    of: /^\/api\/v1\/admin\/search/,
    description: "One search across everything the caller may read.",
  },
  {
    name: "Admin: saved views",
    of: /^\/api\/v1\/admin\/saved-views/,
    description: "Named filters for lists, saved per user.",
  },
  {
    name: "Admin: backups",
    of: /^\/api\/v1\/admin\/backups/,
    description: "Copies of the database and of all files in a second bucket, made daily and on request.",
  },
  {
    name: "Admin: API keys",
    of: /^\/api\/v1\/admin\/api-keys/,
    description: "Create, edit, rotate and revoke API keys.",
  },
  {
    name: "Admin: e-mail texts",
    of: /^\/api\/v1\/admin\/email-texts/,
    description: "Subjects and introductions of e-mails to buyers, in each language.",
  },
  {
    name: "Admin: pages",
    of: /^\/api\/v1\/admin\/pages/,
    description: "Pages that a shop needs by law, in each language.",
  },
  {
    name: "Admin: products",
    of: /^\/api\/v1\/admin\/(products|images)/,
    description: "Products including drafts, their stock and images.",
  },
  { name: "Admin: categories", of: /^\/api\/v1\/admin\/categories/, description: "Categories that group products." },
  {
    name: "Admin: discounts",
    of: /^\/api\/v1\/admin\/discounts/,
    description: "Discount codes, automatic discounts, and the orders that used them.",
  },
  {
    name: "Admin: orders",
    of: /^\/api\/v1\/admin\/(orders|returns)/,
    description: "All orders, with their edits, shipments, returns and refunds.",
  },
  {
    name: "Admin: invoices",
    of: /^\/api\/v1\/admin\/invoices/,
    description: "Invoices and credit notes, which never change.",
  },
  {
    name: "Admin: draft orders",
    of: /^\/api\/v1\/admin\/draft-orders/,
    description: "Orders that staff prepare. Their buyers can review and pay them by a link.",
  },
  {
    name: "Admin: staff",
    of: /^\/api\/v1\/admin\/staff/,
    description: "People who run the shop, and invitations. Change a role with `PUT /admin/users/{id}`.",
  },
  { name: "Admin: users", of: /^\/api\/v1\/admin\/users/, description: "User accounts and their wallets." },
  { name: "Admin: files", of: /^\/api\/v1\/admin\/files/, description: "Downloadable files and their versions." },
  { name: "Admin: uploads", of: /^\/api\/v1\/admin\/uploads/, description: "Multipart uploads of large files." },
  {
    name: "Admin: packages",
    of: /^\/api\/v1\/admin\/packages/,
    description: "Download packages: which user may download which files, how often and until when.",
  },
  {
    name: "Admin: gift cards",
    of: /^\/api\/v1\/admin\/gift-cards/,
    description: "Gift cards that were sold or that staff issued.",
  },
  {
    name: "Admin: subscriptions",
    of: /^\/api\/v1\/admin\/subscriptions/,
    description: "Recurring payments for renewing products.",
  },
  {
    name: "Admin: license keys",
    of: /^\/api\/v1\/admin\/license-keys/,
    description: "License keys of sold units, and the devices on which they are active.",
  },
  {
    name: "Admin: sales",
    of: /^\/api\/v1\/admin\/reports/,
    description: "Sales reports by day, product, category and country.",
  },
  {
    name: "Admin: transactions",
    of: /^\/api\/v1\/admin\/transactions/,
    description: "The ledger of payments, refunds and wallet movements.",
  },
  {
    name: "Admin: product feeds",
    of: /^\/api\/v1\/admin\/feeds/,
    description: "Lists of all products for sale, which Google and OpenAI read at secret URLs.",
  },
  {
    name: "Admin: agents",
    of: /^\/api\/v1\/admin\/agents/,
    description: "Shopping agents that have called the shop. `PUT /admin/shop` decides which agents the shop answers.",
  },
  {
    name: "Admin: shop",
    of: /^\/api\/v1\/admin\/(shop|payment-)/,
    description:
      "Settings of the shop, such as its name, its address, whether prices include tax, its payment methods, and its accounts at payment providers.",
  },
  {
    name: "Admin: shipping",
    of: /^\/api\/v1\/admin\/shipping/,
    description: "Shipping zones of countries and regions, and the shipping methods of each zone.",
  },
  {
    name: "Admin: taxes",
    of: /^\/api\/v1\/admin\/tax-rates/,
    description: "Tax rates by country, region and tax class.",
  },
  {
    name: "Admin: exports",
    of: /^\/api\/v1\/admin\/exports/,
    description: "Complete lists as CSV or NDJSON, at any size.",
  },
  {
    name: "Admin: imports",
    of: /^\/api\/v1\/admin\/imports/,
    description: "Imports of products and customers. A file is checked first and written when the import is started.",
  },
  {
    name: "Admin: jobs",
    of: /^\/api\/v1\/admin\/jobs/,
    description: "Background jobs: progress, failures, cancelling and undoing.",
  },
  {
    name: "Admin: events",
    of: /^\/api\/v1\/admin\/events/,
    description: "The feed of events of the last 30 days, in order and without gaps.",
  },
  {
    name: "Admin: webhooks",
    of: /^\/api\/v1\/admin\/webhooks/,
    description: "Webhooks and their deliveries.",
  },
  {
    name: "Admin: health",
    of: /^\/api\/v1\/admin\/health/,
    description: "Health of the shop: its alerts, requests, queues and running version.",
  },
  {
    name: "Admin: failed items",
    of: /^\/api\/v1\/admin\/failed-items/,
    description: "Repeatedly failing background work, with the reason.",
  },
  {
    name: "Admin: audit log",
    of: /^\/api\/v1\/admin\/audit-log/,
    description: "A record of every change and who made it.",
  },
];

export function tagOf(path: string): string {
  const tag = tags.find(({ of }) => of.test(path));
  if (!tag) throw new Error(`Nothing in tags.ts is of ${path}`);
  return tag.name;
}
