import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { tiers } from "../../../src/integrations/api-keys/tables.ts";
import { type Policy, policies } from "../../../src/platform/rate-limit/policies.ts";

const read = (path: string) => readFileSync(path, "utf8");

const spans: Record<number, string> = { 60: "a minute", 3600: "an hour" };

const told = (policy: Policy) => {
  const { limit, seconds } = policies[policy];
  return `${limit.toLocaleString("en")} ${spans[seconds]}`;
};

const { standard, user } = policies;

const inWords = (limit: number) => limit.toLocaleString("en");

/** Text for every tier except the first, such as "a premium key 1,000". */
const ofOtherTiers = tiers.slice(1).map((tier) => `a ${tier} key ${inWords(policies[tier].limit)}`);

it("match the table in docs/limits.md", () => {
  const rows = read("docs/limits.md")
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim()));
  const limits = Object.fromEntries(rows.map(([, what, limit]) => [what, limit]));
  expect(limits).toMatchObject({
    "requests with a key": tiers
      .map((tier, index) => `${index === 0 ? told(tier) : inWords(policies[tier].limit)} (${tier})`)
      .join(", "),
    "requests with a user token": `${told("user")}, and ${told("user-address")} at one address`,
    "requests without a credential": told("anonymous"),
    "requests of a shopping agent that signs them": `${told("agents")}, and ${told("agent-address")} at one address`,
    "sign-in, sign-up": told("sign-in"),
    "a password or code that a signed-in user sends again, such as to change the profile, and a link that verifies an address":
      told("sign-in"),
    "sign-ups": `${told("sign-up")}, and ${policies.recovery.limit} accounts an hour with one e-mail address`,
    withdrawals: `${told("sign-up")}, and ${told("sign-up")} with one e-mail address`,
    "unknown discount codes, and VAT IDs not checked within a day": `${told("discount-codes")}, and ${told("shared-discount-codes")} for all shoppers whose address a key does not send`,
    "checks of license keys": told("license-keys"),
    "invitations of staff": `${told("invitations")}, and ${told("recovery")} to one address`,
    "credentials that were valid once": told("failed-credentials"),
  });
});

it.each(["README.md", "docs/api.md"])("match the examples in %s", (path) => {
  const lines = [...read(path).matchAll(/^((?:X-)?RateLimit[\w-]*): (.+)$/gm)];
  const headers = Object.fromEntries(lines.map(([, name, value]) => [name, value]));
  expect(headers).toMatchObject({
    "RateLimit-Policy": `"standard";q=${standard.limit};w=${standard.seconds}`,
    RateLimit: `"standard";r=${standard.limit - 1};t=${standard.seconds}`,
    "X-RateLimit-Remaining": String(standard.limit - 1),
  });
});

it("match the sentences in README.md and docs/api.md", () => {
  expect(new Set([...tiers, "user" as const].map((policy) => policies[policy].seconds)).size).toBe(1);
  expect(read("README.md")).toContain(
    `${[`A standard key has ${inWords(standard.limit)} requests in any ${standard.seconds} seconds`, ...ofOtherTiers].join(", ")};`,
  );
  expect(read("docs/api.md")).toContain(
    `In any ${standard.seconds} seconds ${[`a standard key has ${inWords(standard.limit)} requests`, ...ofOtherTiers].join(", ")} and a user ${inWords(user.limit)};`,
  );
});
