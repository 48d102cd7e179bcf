/** What is true of every operation. */
export const info = {
  title: "Storefront API",
  version: "1",
  license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
  description: `Products, orders, carts, accounts, downloadable files and API keys of one shop.

**Credentials.** \`Authorization: Bearer <API key or user token>\`. A wrong one is 401 everywhere, also where none is needed.

**Answers.** Every body is \`{status, message, data}\`, lists with \`pagination\`; every refusal is \`{status, message, code, errors, details}\`:
\`errors\` for people, \`code\` and \`details\` for programs. Fields
are always there, null when they hold nothing. An answer may get more fields: pass over those that you do not know.

**Money** is a number with at most two decimals, in the currency of the shop. **Times** are ISO 8601 in UTC.

**Limits.** A key has 100 or 1,000 requests in any 60 s, a user 100. Every answer to a counted caller tells what is left; 429 says in
\`Retry-After\` how long to wait.

**Doing things once.** Send an \`Idempotency-Key\`, a random UUID, with every POST that takes one: for 24 hours the same key with the
same request gets the first answer again, with \`Idempotent-Replayed: true\`, and nothing is done twice; with another request
it is 409. Keys are each caller's own, without a credential each e-mail address's that signs up. What is refused is not
remembered. An upload is the same request when its fields, its file's name and its bytes are. **Editing.** Send the ETag that you read in \`If-Match\`: 412 says that somebody was faster.

**Reading what you wrote.** Send the \`X-D1-Bookmark\` of the last answer along.

Tokens of users can be verified without a call, by the keys at \`/.well-known/jwks.json\`.`,
};
