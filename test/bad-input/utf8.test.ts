import { describe, expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { call, ORIGIN } from "../support/call.ts";
import { aVisitor } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aKey, aUser, db } from "../support/shop.ts";

/** Encodes each character as one byte: "\xe9" alone is not valid UTF-8. */
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const FORM = "application/x-www-form-urlencoded";

describe("a form of the panel", () => {
  const post = (body: string, type = FORM) => {
    const visitor = aVisitor();
    const headers = { ...visitor.headers(), Origin: ORIGIN, "Sec-Fetch-Site": "same-origin", "Content-Type": type };
    return visitor.send(new Request(`${ORIGIN}/admin/sign-in`, { method: "POST", headers, body: latin1(body) }));
  };

  it.each([
    ["as a byte", "email=caf\xe9%40example.com&password=secret"],
    ["as an escape", "email=caf%E9%40example.com&password=secret"],
    ["as half of an escape", "email=caf%C3&password=secret"],
  ])("is refused with text that is not UTF-8, %s", async (_, body) => {
    const { status, html } = await post(body);
    expect(status).toBe(400);
    expect(html).toContain("must be valid UTF-8");
  });

  it("is refused in another charset", async () => {
    expect((await post("email=a%40example.com&password=secret", `${FORM}; charset=windows-1252`)).status).toBe(415);
  });

  it("accepts a percent sign that is not an escape, and multi-byte characters", async () => {
    const { status, html } = await post("email=100%+%C3%A9%F0%9F%98%80&password=secret");
    expect(status).toBe(400);
    expect(html).not.toContain("must be valid UTF-8");
  });
});

it("refuses an upload's text that is not UTF-8 by field name, and stores no file", async () => {
  const { token } = await aUser({ role: "admin" });
  const body = latin1(
    [
      '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\ncaf\xe9\r\n',
      '--x\r\nContent-Disposition: form-data; name="access"\r\n\r\npublic\r\n',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n',
    ].join(""),
  );
  const headers = { "Content-Type": "multipart/form-data; boundary=x" };
  expectRefusal(await call("POST /admin/files", { as: token, body, headers }), 400, "name");
  expect(await db.select().from(tables.files)).toEqual([]);
});

it("accepts declared UTF-8, in any spelling", async () => {
  const { key } = await aKey();
  for (const charset of ["utf-8", "UTF-8", '"utf8"']) {
    const headers = { "Content-Type": `application/json; charset=${charset}` };
    const { status } = await call("POST /cart", { as: key, body: latin1("{}"), headers });
    expect(status).not.toBe(415);
  }
});
