import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, it } from "vitest";
import { eraseDueAccounts } from "../../src/accounts/personal-data/erase-due.ts";
import { toDecimal } from "../../src/domain/money.ts";
import { accountNow, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { LONG } from "../support/long.ts";
import { runsOf } from "../support/runs.ts";
import { objectIds, placesOf } from "../support/search-tables.ts";
import { ADDRESS, aFile, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";
import { aPerson, type Person, salesAndLedger } from "./person.ts";

const older = await objectIds();

type Life = { person: Person; admin: string; token: string; email: string; orders: number[]; steps: number };

/** Any refusal is fine here, but not an internal error. */
async function ask(...sent: Parameters<typeof call>) {
  const answer = await call(...sent);
  expect(answer.status, `${sent[0]}: ${JSON.stringify(answer.body)}`).toBeLessThan(429);
  return answer;
}

const byAdmin = ({ admin }: Life, line: string, body?: unknown) => ask(line, { as: admin, body });

const latest = ({ orders }: Life) => `/admin/orders/${orders.at(-1) ?? 0}`;

async function signIn(life: Life) {
  const headers = { "User-Agent": `Browser of ${life.person.name}` };
  const { body } = await ask("POST /auth/login", { body: { email: life.email, password: PASSWORD }, headers });
  life.token = body.data?.token ?? life.token;
}

/** Actions of a customer, and of the shop about the customer, with the customer's own words in every text field. */
const steps: Record<string, (life: Life) => Promise<unknown>> = {
  async buys(life) {
    const { name, street } = life.person;
    const paid = life.steps % 2 === 0;
    const shipping_address = { ...ADDRESS, name, address: street };
    const body = orderOf(await aProduct(), 1, { shipping_address, payment_method: paid ? "wallet" : "paypal" });
    const placed = await ask("POST /orders", { as: life.token, body, headers: onPurpose() });
    if (placed.status === 201) life.orders.push(placed.body.data.id);
  },
  cancels: (life) => ask(`POST /account/orders/${life.orders.at(-1) ?? 0}/cancel`, { as: life.token }),
  isSent: (life) =>
    byAdmin(life, `PUT ${latest(life)}`, {
      status: "shipped",
      shipment: { carrier: "Post", tracking_number: life.person.surname },
    }),
  moves: (life) =>
    byAdmin(life, `PUT ${latest(life)}`, {
      shipping_address: { ...ADDRESS, name: life.person.name, address: `Behind ${life.person.street}` },
    }),
  isRefunded: (life) => byAdmin(life, `POST ${latest(life)}/refunds`, { amount: 1, note: `For ${life.person.name}` }),
  isCredited: (life) =>
    byAdmin(life, `POST /admin/users/${life.person.id}/credit`, { amount: 30, reason: `From ${life.person.email}` }),
  isRenamed: (life) =>
    byAdmin(life, `PUT /admin/users/${life.person.id}`, {
      name: `${life.person.name} ${life.steps}`,
      company: life.person.street,
    }),
  changesProfile: (life) =>
    ask("PUT /account/profile", {
      as: life.token,
      body: { name: life.person.name, metadata: { of: life.person.surname } },
    }),
  fillsCart: async (life) => ask("POST /cart", { as: life.token, body: { product_id: (await aProduct()).id } }),
  isGranted: async (life) =>
    byAdmin(life, "POST /admin/packages", {
      user_id: life.person.id,
      name: `Of ${life.person.name}`,
      file_ids: [(await aFile()).id],
    }),
  signsIn: signIn,
  changesMind: async (life) => {
    await ask("DELETE /account", { as: life.token, body: { current_password: PASSWORD } });
    await signIn(life);
    await ask("POST /account/restore", { as: life.token });
  },
};

/** Empties the customer's wallet and closes all open orders. */
async function settle(life: Life) {
  for (const id of life.orders) await byAdmin(life, `PUT /admin/orders/${id}`, { status: "cancelled" });
  const { walletBalance } = await accountNow(life.person.id);
  if (walletBalance > 0) {
    const paidOut = { amount: toDecimal(-walletBalance), reason: `To ${life.person.name}` };
    await byAdmin(life, `POST /admin/users/${life.person.id}/credit`, paidOut);
  }
}

it("leaves no byte of a customer after any sequence of actions, and every order and sum", LONG, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...Object.keys(steps)), { minLength: 4, maxLength: 14 }),
      async (names) => {
        const [person, { token: admin }] = [await aPerson(), await aUser({ role: "admin" })];
        const life: Life = { person, admin, token: person.token, email: person.email, orders: [], steps: 0 };
        for (const name of names) {
          life.steps++;
          await steps[name]?.(life);
        }
        await settle(life);
        expect((await byAdmin(life, `DELETE /admin/users/${person.id}`)).status).toBe(200);
        const before = await salesAndLedger(person.id);
        await eraseDueAccounts(env, db, Date.now() + 8 * 86_400_000);
        expect(await placesOf(person.needles, older)).toEqual([]);
        expect(await salesAndLedger(person.id)).toEqual(before);
        expect(await brokenInvariants()).toEqual({});
        expect((await accountNow(person.id)).name).toBe("Erased account");
      },
    ),
    { numRuns: runsOf(10) },
  );
});
