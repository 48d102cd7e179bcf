/** Groups of routes, in order: name, pattern of the path below /api/v1, and description. The first match applies. */
const groups: [name: string, below: string, description: string][] = [
  [
    "Products",
    "user/(products|categories)",
    "The catalogue. Readable without a credential if the shop allows it. Responses are at most 30 seconds old.",
  ],
  ["Cart", "user/cart", "The cart of a user, or of a guest identified by X-Cart-Token."],
  [
    "Orders",
    "user/(checkout|withdrawals|(account/)?(orders|returns|invoices|subscriptions))",
    "Placing and reading orders. Send an Idempotency-Key with each order so that a retry never places it twice.",
  ],
  [
    "Pages",
    "user/pages",
    "The shop's terms, privacy policy, imprint and other pages. Each change of a page makes a version.",
  ],
  ["Sessions", "user/auth", "Sign-up, sign-in, tokens and sign-out."],
  [
    "Downloads",
    "user/(files|download|account/packages|account/license-keys)",
    "Files and the download packages that give access to them. Public files need no credential. Resuming a download does not count as another one.",
  ],
  ["Licenses", "user/licenses", "Checks of license keys by the software that they are for."],
  ["Gift cards", "user/account/gift-cards", "Gift cards of paid orders, and their redemption into the wallet."],
  ["Account", "user/account", "The caller's profile, addresses and wallet."],
  ["Webhooks", "webhooks", "Webhooks received from payment providers."],
  ["Admin: search", "admin/search", "One search across everything the caller may read."],
  ["Admin: saved views", "admin/saved-views", "Named filters for lists, saved per user."],
  [
    "Admin: backups",
    "admin/backups",
    "Copies of the database and of all files in a second bucket, made daily and on request.",
  ],
  ["Admin: API keys", "admin/api-keys", "Create, edit, rotate and revoke API keys."],
  ["Admin: e-mail texts", "admin/email-texts", "Subjects and introductions of e-mails to buyers, in each language."],
  ["Admin: pages", "admin/pages", "Pages that a shop needs by law, in each language."],
  ["Admin: products", "admin/(products|images)", "Products including drafts, their stock and images."],
  ["Admin: categories", "admin/categories", "Categories that group products."],
  ["Admin: discounts", "admin/discounts", "Discount codes, automatic discounts, and the orders that used them."],
  ["Admin: orders", "admin/(orders|returns)", "All orders, with their edits, shipments, returns and refunds."],
  ["Admin: invoices", "admin/invoices", "Invoices and credit notes, which never change."],
  [
    "Admin: draft orders",
    "admin/draft-orders",
    "Orders that staff prepare. Their buyers can review and pay them by a link.",
  ],
  [
    "Admin: staff",
    "admin/staff",
    "People who run the shop, and invitations. Change a role with `PUT /admin/users/{id}`.",
  ],
  ["Admin: users", "admin/users", "User accounts and their wallets."],
  ["Admin: files", "admin/files", "Downloadable files and their versions."],
  ["Admin: uploads", "admin/uploads", "Multipart uploads of large files."],
  [
    "Admin: packages",
    "admin/packages",
    "Download packages: which user may download which files, how often and until when.",
  ],
  ["Admin: gift cards", "admin/gift-cards", "Gift cards that were sold or that staff issued."],
  ["Admin: subscriptions", "admin/subscriptions", "Recurring payments for renewing products."],
  [
    "Admin: license keys",
    "admin/license-keys",
    "License keys of sold units, and the devices on which they are active.",
  ],
  ["Admin: sales", "admin/reports", "Sales reports by day, product, category and country."],
  ["Admin: transactions", "admin/transactions", "The ledger of payments, refunds and wallet movements."],
  [
    "Admin: product feeds",
    "admin/feeds",
    "Lists of all products for sale, which Google and OpenAI read at secret URLs.",
  ],
  [
    "Admin: agents",
    "admin/agents",
    "Shopping agents that have called the shop. `PUT /admin/shop` decides which agents the shop answers.",
  ],
  [
    "Admin: shop",
    "admin/(shop|payment-)",
    "Settings of the shop, such as its name, its address, whether prices include tax, its payment methods, and its accounts at payment providers.",
  ],
  [
    "Admin: shipping",
    "admin/shipping",
    "Shipping zones of countries and regions, and the shipping methods of each zone.",
  ],
  ["Admin: taxes", "admin/tax-rates", "Tax rates by country, region and tax class."],
  ["Admin: exports", "admin/exports", "Complete lists as CSV or NDJSON, at any size."],
  [
    "Admin: imports",
    "admin/imports",
    "Imports of products and customers. A file is checked first and written when the import is started.",
  ],
  ["Admin: jobs", "admin/jobs", "Background jobs: progress, failures, cancelling and undoing."],
  ["Admin: events", "admin/events", "The feed of events of the last 30 days, in order and without gaps."],
  ["Admin: webhooks", "admin/webhooks", "Webhooks and their deliveries."],
  ["Admin: health", "admin/health", "Health of the shop: its alerts, requests, queues and running version."],
  ["Admin: failed items", "admin/failed-items", "Repeatedly failing background work, with the reason."],
  ["Admin: audit log", "admin/audit-log", "A record of every change and who made it."],
];

export const tags = groups.map(([name, below, description]) => ({
  name,
  of: new RegExp(`^/api/v1/${below}`),
  description,
}));

export function tagOf(path: string): string {
  const tag = tags.find(({ of }) => of.test(path));
  if (!tag) throw new Error(`Nothing in tags.ts is of ${path}`);
  return tag.name;
}
