import { expect, it } from "vitest";
import { entriesOf } from "../../support/administration.ts";
import { call } from "../../support/call.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { anAdministrator, placed } from "./support.ts";

it("keeps internal notes about an order, newest first, hidden from its buyer", async () => {
  const [admin, { id, user }] = [await anAdministrator(), await placed()];
  const version = await admin.etagOf(id);
  const first = await admin.ask(`POST /admin/orders/${id}/notes`, { text: "  Asked for a gift box\nby telephone " });
  expect([first.status, first.body.data]).toEqual([
    201,
    {
      id: expect.any(Number),
      text: "Asked for a gift box\nby telephone",
      author: `user:${admin.id}`,
      created_at: expect.stringMatching(/Z$/),
    },
  ]);
  const second = await admin.ask(`POST /admin/orders/${id}/notes`, { text: "Packed" });
  const { body } = await admin.ask(`GET /admin/orders/${id}/notes`);
  expect(body.data).toEqual([second.body.data, first.body.data]);
  expect(body.pagination.total_items).toBe(2);
  expect(await admin.etagOf(id)).toBe(version);
  const [, entry] = await entriesOf(id);
  expect(entry).toMatchObject({ actor: `user:${admin.id}`, action: "order.add_note", before: null });

  for (const path of ["/account/orders", `/account/orders/${id}`, "/account/export"]) {
    expect(JSON.stringify((await call(`GET ${path}`, { as: user.token })).body)).not.toContain("gift box");
  }
});

it("refuses an empty or too long note, and a note on an unknown order", async () => {
  const [admin, { id }] = [await anAdministrator(), await placed()];
  const note = (order: number, text: string) => admin.ask(`POST /admin/orders/${order}/notes`, { text });
  expectRefusal(await note(id, " \n "), 400, "text");
  expectRefusal(await note(id, "x".repeat(2_001)), 400, "text");
  expect((await note(987_654, "Nowhere")).status).toBe(404);
  expect((await admin.ask("GET /admin/orders/987654/notes")).status).toBe(404);
  expect((await admin.ask(`GET /admin/orders/${id}/notes`)).body.data).toEqual([]);
});
