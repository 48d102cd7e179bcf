import { version } from "../../package.json";
import { tiers } from "../../src/integrations/api-keys/tables.ts";
import { policies } from "../../src/platform/rate-limit/policies.ts";

const allowed = (policy: keyof typeof policies) => policies[policy].limit.toLocaleString("en");
const [standard, ...otherTiers] = tiers;
const limits = [
  `A ${standard} key may send ${allowed(standard)} requests in any ${policies[standard].seconds} seconds`,
  ...otherTiers.map((tier) => `a ${tier} key ${allowed(tier)}`),
  `and a user ${allowed("user")}`,
].join(", ");

/** Describes what all operations have in common. */
export const info = {
  title: "Storefront API",
  version,
  license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
  description: `REST API of a shop: products, orders, carts, accounts, downloadable files and API keys.

**Authentication.** Send \`Authorization: Bearer <API key or user token>\`. An invalid credential is rejected with 401 on every route, even on routes
that need none. Storefronts can verify user tokens offline with the keys at \`/.well-known/jwks.json\`.

**Responses.** Every successful body is \`{status, message, data}\`, and lists also have \`pagination\`. Every error is
\`{status, message, code, errors, details}\`: \`errors\` is written for people, \`code\` and \`details\` for programs. All fields are always
present, and null if they have no value. New fields may be added at any time, so ignore fields that you do not know.

**Lists.** Follow the link \`rel="next"\` of the header \`Link\` to the end of a list. The guide \`/docs/integrations\` shows how to read lists while rows
change, with programs in TypeScript, Python and PHP.

**Money** is a number in the currency of the shop, with at most as many decimals as the currency has: two of USD, none of JPY, three of KWD. An amount with more is refused as \`too_precise\`. No price is above 999,999,999 of the smallest unit, such as 9,999,999.99 USD. **Times** are ISO 8601 in UTC.

**Rate limits.** ${limits}. Responses to these callers carry the
remaining quota. A 429 response says in \`Retry-After\` how many seconds to wait.

**Idempotency.** Send an \`Idempotency-Key\`, such as a random UUID, with every POST that accepts one. For 24 hours, the same key with the same
request returns the first response again, with \`Idempotent-Replayed: true\`, and does nothing twice. The same key with a different request is
rejected with 409. Keys are separate for each caller; without a credential, for each e-mail address that signs up. Rejected requests are not
remembered. Two uploads are the same request if their fields, file name and bytes are equal.

**Concurrent edits.** Send the ETag that you read in \`If-Match\`. The response is 412 if somebody else has changed the resource since.

**Versions.** An incompatible change gets a new version, named by its date. A key uses the version that was newest when it was created; callers
without a key use the first. Send the header \`API-Version\` to use another. Every response names its version.

**Reading your own writes.** Send the \`X-D1-Bookmark\` header of the previous response with the next request.`,
};
