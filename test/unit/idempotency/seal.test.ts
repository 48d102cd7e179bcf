import { expect, it } from "vitest";
import type { Claim } from "../../../src/auth/author.ts";
import { seal, unseal } from "../../../src/idempotency/seal.ts";

const [older, newer] = ["the secret of last year 0123456789", "the secret of this year 0123456789"];
const claim = (more: Partial<Claim> = {}): Claim => ({
  caller: "user:7",
  key: "one",
  asked: () => null,
  secrets: [newer],
  ...more,
});
const answer = { key: "sfk_value" };

it("opens for the caller and the Idempotency-Key that it was sealed for, and for nobody else", () => {
  const sealed = seal(claim(), answer);
  expect(sealed).not.toContain("sfk_");
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("sfk_");
  expect(unseal(claim(), sealed)).toEqual(answer);
  expect(() => unseal(claim({ caller: "user:8" }), sealed)).toThrow();
  expect(() => unseal(claim({ key: "other" }), sealed)).toThrow();
});

it("opens after its secret was rotated, as long as that is in the list", () => {
  const sealed = seal(claim({ secrets: [older] }), answer);
  expect(unseal(claim({ secrets: [newer, older] }), sealed)).toEqual(answer);
  expect(() => unseal(claim(), sealed)).toThrow("not configured any more");
});

it("does not open once a byte of it is another", () => {
  const bytes = Buffer.from(seal(claim(), answer), "base64url");
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  expect(() => unseal(claim(), bytes.toString("base64url"))).toThrow();
});
