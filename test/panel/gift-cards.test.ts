import { expect, it } from "vitest";
import { toDecimal } from "../../src/domain/money.ts";
import { boughtGiftCards, redeem } from "../support/gift-cards.ts";
import { anAdministrator } from "../support/panel.ts";
import { aUser } from "../support/shop.ts";

const admin = await anAdministrator();

it("finds a card by the beginning of its code, shows its redemptions without the rest, and disables it", async () => {
  const { cards, code } = await boughtGiftCards();
  const path = `/admin/gift-cards/${cards[0].id}`;
  const friend = await aUser();
  await redeem(friend.token, code, toDecimal(1234));
  const start = code.slice(0, 19);
  const { html } = await admin.get(`/admin/gift-cards?code_start=${start.toLowerCase()}`);
  expect(html).toContain(`href="${path}"`);
  const page = await admin.get(path);
  for (const amount of ["50.00", "37.66", "12.34"]) expect(page.html).toContain(amount);
  for (const shown of [html, page.html]) {
    expect(shown).toContain(start);
    expect(shown).not.toContain(code.slice(-14));
  }
  const { status, location } = await admin.post(`${path}/disable`);
  expect(status).toBe(303);
  expect((await admin.get(String(location))).html).toContain("was disabled");
  expect((await redeem(friend.token, code)).body.code).toBe("gift_card_ended");
});
