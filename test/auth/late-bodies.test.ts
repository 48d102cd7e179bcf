import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { accountNow, anAccount } from "../support/accounts.ts";
import { call, ORIGIN } from "../support/call.ts";
import { anAdministrator } from "../support/panel.ts";
import { aKey, aUser, db } from "../support/shop.ts";

const SECOND_MS = 1000;

/** A body whose first bytes arrive at once and whose rest arrives after `meanwhile` has run. */
function heldOpen(text: string, meanwhile: () => Promise<unknown>): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let isHeld = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isHeld) {
          isHeld = true;
          controller.enqueue(bytes.slice(0, 1));
          return;
        }
        await meanwhile();
        vi.setSystemTime(Date.now() + SECOND_MS);
        controller.enqueue(bytes.slice(1));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a request that is held open until its caller loses access", () => {
  it("does not make somebody an administrator again who was one when it started", async () => {
    const [{ token: as }, demoted] = [await aUser({ role: "admin" }), await aUser({ role: "admin" })];
    const body = heldOpen(JSON.stringify({ role: "admin", name: "Back again" }), () =>
      call(`PUT /admin/users/${demoted.id}`, { as, body: { role: "customer" } }),
    );
    const { status } = await call(`PUT /admin/users/${demoted.id}`, { as: demoted.token, body });
    expect([status, (await accountNow(demoted.id)).role]).toEqual([403, "customer"]);
  });

  it("writes nothing for a session that its owner has ended", async () => {
    const { id, token } = await anAccount();
    const address = {
      name: "Ann Lee",
      address: "1 Main St",
      city: "New York",
      zip: "10001",
      region: "NY",
      country: "US",
    };
    const body = heldOpen(JSON.stringify(address), () => call("POST /auth/logout", { as: token, body: {} }));
    const { status } = await call("POST /account/addresses", { as: token, body });
    const saved = await db.select().from(tables.addresses).where(eq(tables.addresses.userId, id));
    expect([status, saved]).toEqual([401, []]);
  });

  it("does nothing for an API key that was revoked", async () => {
    const [{ token: as }, { id }] = [await aUser({ role: "admin" }), await anAccount()];
    const key = await aKey({ permissions: ["users:write"] });
    const body = heldOpen(JSON.stringify({ name: "Renamed" }), () => call(`DELETE /admin/api-keys/${key.id}`, { as }));
    const { status } = await call(`PUT /admin/users/${id}`, { as: key.key, body });
    expect(status).toBe(401);
    expect((await accountNow(id)).name).not.toBe("Renamed");
  });

  it("sends a form of the panel to the sign-in page", async () => {
    const [{ token: as }, { id }, staff] = [await aUser({ role: "admin" }), await anAccount(), await anAdministrator()];
    const body = heldOpen("name=Renamed&name.was=", () =>
      call(`PUT /admin/users/${staff.id}`, { as, body: { disabled: true } }),
    );
    const headers = { ...staff.headers(), Origin: ORIGIN, "Content-Type": "application/x-www-form-urlencoded" };
    const { status } = await staff.send(
      new Request(`${ORIGIN}/admin/customers/${id}`, { method: "POST", headers, body }),
    );
    expect(status).toBe(401);
    expect((await accountNow(id)).name).not.toBe("Renamed");
  });
});

it("accepts a late body from a caller who still has access", async () => {
  const { id, token } = await anAccount();
  const body = heldOpen(JSON.stringify({ name: "Renamed" }), async () => undefined);
  const { status } = await call("PUT /account/profile", { as: token, body });
  expect([status, (await accountNow(id)).name]).toEqual([200, "Renamed"]);
});
