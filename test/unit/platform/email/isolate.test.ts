import { expect, it } from "vitest";
import { isolate, isolateTexts } from "../../../../src/platform/email/isolate.ts";
import { preview } from "../../../../src/platform/email/render.tsx";

it.each([
  ["Ada Lovelace", "Ada Lovelace"],
  ["דנה לוי", "\u2068דנה לוי\u2069"],
  ["سلة (2)", "\u2068سلة (2)\u2069"],
  ["Ada\u202Eecalevol", "Adaecalevol"],
  ["דנה\u2069", "\u2068דנה\u2069"],
])("isolates a text written from right to left: %j", (text, isolated) => {
  expect(isolate(text)).toBe(isolated);
});

it("isolates the texts of parameters, except addresses of pages", () => {
  const params = { items: [{ name: "סל", quantity: 2 }], url: "https://shop.test/סל", note: null };
  expect(isolateTexts(params)).toEqual({ ...params, items: [{ name: "\u2068סל\u2069", quantity: 2 }] });
});

it("isolates the shop's name in subject, text and HTML", async () => {
  const settings = {
    ...{ shopName: "חנות", shopAddress: "", contact: "", linkBase: null, staffLinkBase: "https://shop.test" },
    ...{ imageBase: null, logo: null, color: "#1a56db", senderName: null, replyTo: null },
    ...{ orderUrl: null, panelUrl: null, from: null, shopUrl: "https://shop.test", resend: null },
  };
  const { subject, text, html } = await preview(settings, "order_confirmation", { language: "en", ownTexts: null });
  for (const part of [subject, text, html]) expect(part).toContain("\u2068חנות\u2069");
});
