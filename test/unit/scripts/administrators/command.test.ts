import { beforeEach, expect, it, vi } from "vitest";
import { administer } from "../../../../scripts/administrators/command.ts";
import { execute, query } from "../../../../scripts/administrators/d1.ts";

vi.mock("../../../../scripts/administrators/d1.ts");

beforeEach(() => {
  vi.mocked(query).mockReset().mockReturnValue([]);
  vi.mocked(execute).mockReset();
});

const EMAIL = "somebody@shop.example";

it.each([
  { what: "no e-mail address", args: ["nobody", "Name"], words: 'This is not an e-mail address: "nobody"' },
  { what: "no name", args: [EMAIL], words: "npm run admin -- someone@example.com" },
  { what: "an empty name", args: [EMAIL, " "], words: 'This is not a name: " "' },
  { what: "a word too many", args: [EMAIL, "Two", "Names"], words: "npm run admin -- someone@example.com" },
  { what: "what it does not know", args: ["--force", EMAIL, "Name"], words: "Unknown option '--force'" },
])("refuses $what, and does not call the database", async ({ args, words }) => {
  await expect(administer(args)).rejects.toThrow(words);
  expect(query).not.toHaveBeenCalled();
  expect(execute).not.toHaveBeenCalled();
});

const account = { role: "customer", disabled_at: null, two_factor: 0 };

it.each([
  { what: "to promote nobody", args: ["promote", EMAIL], found: [], words: "has no account" },
  { what: "to help nobody", args: ["without-two-factor", EMAIL], found: [], words: "has no account" },
  {
    what: "to help who has no second factor",
    args: ["without-two-factor", EMAIL],
    found: [account],
    words: "no second factor",
  },
  {
    what: "an account that exists",
    args: [EMAIL, "Name"],
    found: [account],
    words: `npm run admin -- promote ${EMAIL}`,
  },
  {
    what: "to promote an administrator",
    args: ["promote", EMAIL],
    found: [{ ...account, role: "admin" }],
    words: "is an administrator already",
  },
  {
    what: "to promote whom another has disabled",
    args: ["promote", EMAIL],
    found: [{ ...account, disabled_at: 1 }],
    words: "is disabled",
  },
])("refuses $what, and changes nothing", async ({ args, found, words }) => {
  vi.mocked(query).mockReturnValue(found);
  await expect(administer(args)).rejects.toThrow(words);
  expect(query).toHaveBeenCalledOnce();
  expect(execute).not.toHaveBeenCalled();
});
