import { expect, it } from "vitest";
import { seal, unseal } from "../../../../src/platform/auth/seal.ts";

const [older, newer] = ["the secret of last year 0123456789", "the secret of this year 0123456789"];
const purpose = ["idempotent answer", "user:7", "one"] as const;
const answer = { key: "sfk_value" };

it("opens only for the purpose for which it was sealed", () => {
  const sealed = seal([newer], purpose, answer);
  expect(sealed).not.toContain("sfk_");
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("sfk_");
  expect(unseal([newer], purpose, sealed)).toEqual(answer);
  expect(() => unseal([newer], ["idempotent answer", "user:8", "one"], sealed)).toThrow();
  expect(() => unseal([newer], ["another kind", "user:7", "one"], sealed)).toThrow();
});

it("opens after its secret was rotated, as long as that is in the list", () => {
  const sealed = seal([older], purpose, answer);
  expect(unseal([newer, older], purpose, sealed)).toEqual(answer);
  expect(() => unseal([newer], purpose, sealed)).toThrow("no longer configured");
});

it("does not open with any byte changed", () => {
  const bytes = Buffer.from(seal([newer], purpose, answer), "base64url");
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  expect(() => unseal([newer], purpose, bytes.toString("base64url"))).toThrow();
});
