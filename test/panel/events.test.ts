import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { anAdministrator } from "../support/panel.ts";
import { aProduct, aUser, orderOf, someProducts } from "../support/shop.ts";

const anAdmin = shared(() => anAdministrator());

const LIST = "/admin/events";

/** Types of the events on the page, in order. */
const typesIn = (html: string) => [...html.matchAll(/<code class="nowrap">([\w.]+)</g)].map(([, type]) => type);

describe("the page of events", () => {
  it("shows the newest first, and one type on request", async () => {
    const { get } = await anAdmin();
    const buyer = await aUser({ wallet: 10_000 });
    await call("POST /orders", { as: buyer.token, body: orderOf(await aProduct()) });
    const all = typesIn((await get(LIST)).html);
    expect(all.slice(0, 2)).toEqual(["order.paid", "order.created"]);
    const some = typesIn((await get(`${LIST}?type=order.paid`)).html);
    expect(new Set(some)).toEqual(new Set(["order.paid"]));
  });

  it("links to older ones, without duplicates or gaps", async () => {
    const { get } = await anAdmin();
    await someProducts(30);
    const first = await get(`${LIST}?type=product.created`);
    const [, older = ""] = /rel="next" href="([^"]+)"/.exec(first.html) ?? [];
    const second = await get(older.replaceAll("&amp;", "&"));
    const idsIn = (html: string) => [...html.matchAll(/data-label="Id"[^>]*>(\d+)</g)].map(([, id]) => Number(id));
    const ids = [...idsIn(first.html), ...idsIn(second.html)];
    expect(ids.length).toBeGreaterThan(30);
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => other - one));
  });

  it("refuses unknown types, and shows administrators' events only to administrators", async () => {
    const { get } = await anAdmin();
    const refused = await get(`${LIST}?type=order.eaten`);
    expect(refused.status).toBe(400);
    const viewer = await anAdministrator({ role: "viewer" });
    expect((await viewer.get(LIST)).html).not.toContain('value="api_key.created"');
    expect((await viewer.get(`${LIST}?type=api_key.created`)).status).toBe(403);
  });
});
