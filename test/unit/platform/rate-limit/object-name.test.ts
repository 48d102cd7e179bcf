import { expect, it, vi } from "vitest";
import { nameOf } from "../../../../src/platform/rate-limit/object-name.ts";

const objectOf = (name?: string) => ({
  id: { ...(name !== undefined && { name }), toString: () => "a1b2", equals: () => false },
});

it("is the name by which the object is reached", () => {
  expect(nameOf(objectOf("sfk_abc@eu"))).toBe("sfk_abc@eu");
});

it.each([
  ["missing", undefined],
  ["empty", ""],
])("is an error with a log line if it is %s", (_, name) => {
  const lines: string[] = [];
  const logged = vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
  expect(() => nameOf(objectOf(name))).toThrow("not reached by its name");
  logged.mockRestore();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "error", message: "rate limiter without a name", object: "a1b2" },
  ]);
});
