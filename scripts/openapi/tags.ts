/** Which routes are told of together, in this order; the first that fits a path. */
export const tags = [
  {
    name: "Products",
    of: /^\/api\/v1\/user\/(products|categories)/,
    description: "The catalogue, without a credential where the shop opens it. Answers are at most 30 s old.",
  },
  { name: "Cart", of: /^\/api\/v1\/user\/cart/, description: "A user's cart, or a guest's, named by X-Cart-Token." },
  {
    name: "Orders",
    of: /^\/api\/v1\/user\/(checkout|(account\/)?orders)/,
    description: "Send an Idempotency-Key with an order: however often it is sent, it is placed and paid once.",
  },
  { name: "Sessions", of: /^\/api\/v1\/user\/auth/, description: "Accounts, tokens and how they end." },
  {
    name: "Downloads",
    of: /^\/api\/v1\/user\/(files|download|account\/packages)/,
    description:
      "Files, and the packages that a buyer downloads them with; without a credential the public ones. Resuming a download is free.",
  },
  { name: "Account", of: /^\/api\/v1\/user\/account/, description: "The caller's profile and money." },
  { name: "Webhooks", of: /^\/api\/v1\/webhooks/, description: "What payment providers tell us." },
  {
    name: "Admin: search",
    of: /^\/api\/v1\/admin\/search/,
    description: "One search over all that the caller may read.",
  },
  { name: "Admin: saved views", of: /^\/api\/v1\/admin\/saved-views/, description: "How you narrow lists, by name." },
  { name: "Admin: API keys", of: /^\/api\/v1\/admin\/api-keys/, description: "The API Manager." },
  {
    name: "Admin: products",
    of: /^\/api\/v1\/admin\/(products|images)/,
    description: "The catalogue with its drafts, and its images.",
  },
  { name: "Admin: categories", of: /^\/api\/v1\/admin\/categories/, description: "What products are sorted into." },
  {
    name: "Admin: discounts",
    of: /^\/api\/v1\/admin\/discounts/,
    description: "Codes, discounts that apply by themselves, and the orders that used them.",
  },
  { name: "Admin: orders", of: /^\/api\/v1\/admin\/orders/, description: "Every order, its shipping and its refunds." },
  { name: "Admin: users", of: /^\/api\/v1\/admin\/users/, description: "Accounts and wallets." },
  { name: "Admin: files", of: /^\/api\/v1\/admin\/files/, description: "Files and their versions." },
  { name: "Admin: uploads", of: /^\/api\/v1\/admin\/uploads/, description: "Large files, in parts." },
  { name: "Admin: packages", of: /^\/api\/v1\/admin\/packages/, description: "Who may download what." },
  { name: "Admin: sales", of: /^\/api\/v1\/admin\/reports/, description: "What was sold, day by day." },
  { name: "Admin: transactions", of: /^\/api\/v1\/admin\/transactions/, description: "The ledger of all wallets." },
  { name: "Admin: shop", of: /^\/api\/v1\/admin\/shop/, description: "Where the shop is, and what its prices are." },
  {
    name: "Admin: shipping",
    of: /^\/api\/v1\/admin\/shipping/,
    description: "Zones of countries and regions, and the methods that are offered in each.",
  },
  { name: "Admin: taxes", of: /^\/api\/v1\/admin\/tax-rates/, description: "Rates by place and class of product." },
  {
    name: "Admin: exports",
    of: /^\/api\/v1\/admin\/exports/,
    description: "Whole lists as CSV or NDJSON, of any length.",
  },
  {
    name: "Admin: imports",
    of: /^\/api\/v1\/admin\/imports/,
    description: "Products and customers from a file: it is checked first, and then written.",
  },
  {
    name: "Admin: jobs",
    of: /^\/api\/v1\/admin\/jobs/,
    description: "Work that takes longer than a request: how far it is, what failed, cancelling and undoing.",
  },
  {
    name: "Admin: events",
    of: /^\/api\/v1\/admin\/events/,
    description: "What happened, in order and without gaps, for 30 days.",
  },
  {
    name: "Admin: webhooks",
    of: /^\/api\/v1\/admin\/webhooks/,
    description: "Where events are delivered to, and what came of it.",
  },
  { name: "Admin: audit log", of: /^\/api\/v1\/admin\/audit-log/, description: "Who changed what." },
];

export function tagOf(path: string): string {
  const tag = tags.find(({ of }) => of.test(path));
  if (!tag) throw new Error(`Nothing in tags.ts is of ${path}`);
  return tag.name;
}
