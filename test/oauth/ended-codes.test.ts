import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { anAccount, aSession, PASSWORD } from "../support/accounts.ts";
import { call, callWith, ORIGIN } from "../support/call.ts";
import { interleaved } from "../support/faults.ts";
import { anAdministrator, aVisitor, fieldsOf } from "../support/panel.ts";
import { db } from "../support/shop.ts";
import { codeOf } from "../support/two-factor.ts";
import {
  AUTHORIZE,
  anInstalledApp,
  aProof,
  aRegisteredClient,
  aShopperCode,
  aStaffCode,
  askFor,
  exchange,
  REDIRECT,
  returnOf,
  STAFF,
} from "./support.ts";

// A code ends with the session in which somebody agreed to it.

type Person = { id: number; token: string };

const endOtherSessions = ({ token }: Person) => call("DELETE /account/sessions", { as: token });

const changePassword = ({ token }: Person) =>
  call("PUT /account/profile", { as: token, body: { password: "quite another one", current_password: PASSWORD } });

async function addFactor({ token }: Person) {
  const { body } = await call("POST /account/two-factor", { as: token, body: { current_password: PASSWORD } });
  return call("POST /account/two-factor/confirm", { as: token, body: { code: codeOf(body.data.secret) } });
}

const erase = ({ token }: Person) => call("DELETE /account", { as: token, body: { current_password: PASSWORD } });

const endByAdministrator = async ({ id }: Person) =>
  (await anAdministrator()).post(`/admin/customers/${id}/sessions/end`);

const endings: [string, (person: Person) => Promise<{ status: number }>][] = [
  ["ends their other sessions", endOtherSessions],
  ["changes the password", changePassword],
  ["adds a second factor", addFactor],
  ["loses their sessions to an administrator", endByAdministrator],
];

describe("a code ends when the person who agreed to it", () => {
  it.each([...endings, ["asks for the erasure of their account", erase] as const])("%s (a shopper)", async (_, end) => {
    const account = await anAccount();
    const [early, late] = [await aShopperCode(account), await aShopperCode(account)];
    expect((await exchange(early)).status).toBe(200);
    expect((await end(account)).status).toBeLessThan(400);
    expect((await exchange(late)).body.error).toBe("invalid_grant");
  });

  it.each(endings)("%s (an administrator)", async (_, end) => {
    const admin = await anAdministrator({ passwordHash: (await anAccount()).passwordHash });
    const elsewhere = await aSession(admin.id);
    const [early, late] = [await aStaffCode(admin), await aStaffCode(admin)];
    expect((await exchange(early)).status).toBe(200);
    expect((await end({ id: admin.id, token: elsewhere.token })).status).toBeLessThan(400);
    expect((await exchange(late)).body.error).toBe("invalid_grant");
  });
});

const endAll = (userId: number) => () =>
  db.update(tables.sessions).set({ endedAt: Date.now() }).where(eq(tables.sessions.userId, userId));

const codesOf = (userId: number) => db.select().from(tables.appCodes).where(eq(tables.appCodes.userId, userId));

/** Positions of a statement, of which the last is after all of a request. */
const MOMENTS = Array.from({ length: 12 }, (_, at) => at + 1);

describe("the sessions of a person end at whatever moment", () => {
  it("of the consent of an administrator, without leaving a code that works", async () => {
    const outcomes = new Set<number>();
    for (const moment of MOMENTS) {
      const admin = await anAdministrator();
      const { verifier, challenge } = aProof();
      const clientId = await aRegisteredClient();
      const fields = fieldsOf(await admin.get(STAFF + askFor(clientId, { code_challenge: challenge })), STAFF);
      const { status, headers } = await admin.post(
        STAFF,
        fields,
        {},
        { DB: interleaved(env.DB, endAll(admin.id), moment) },
      );
      outcomes.add(status);
      await endAll(admin.id)();
      if (status !== 200) expect([headers.get("Refresh"), await codesOf(admin.id)]).toEqual([null, []]);
      else {
        const code = returnOf({ headers, status, html: "", location: null }).searchParams.get("code") ?? "";
        const exchanged = await exchange({ client_id: clientId, code, code_verifier: verifier });
        expect(exchanged.body.error).toBe("invalid_grant");
      }
    }
    expect([...outcomes].sort()).toEqual([200, 401]);
  });

  it("of the consent of a shopper, without leaving a code that works", async () => {
    const outcomes = new Set<number>();
    for (const moment of MOMENTS) {
      const [account, visitor, clientId] = [await anAccount(), aVisitor(), await aRegisteredClient()];
      const { verifier, challenge } = aProof();
      const shown = await visitor.get(AUTHORIZE + askFor(clientId, { scope: "profile", code_challenge: challenge }));
      const fields = { ...fieldsOf(shown, AUTHORIZE), email: account.email, password: PASSWORD };
      const answer = await visitor.post(AUTHORIZE, fields, {}, { DB: interleaved(env.DB, endAll(account.id), moment) });
      outcomes.add(answer.status);
      await endAll(account.id)();
      if (answer.status !== 200) expect(await codesOf(account.id)).toEqual([]);
      else {
        const code = returnOf(answer).searchParams.get("code") ?? "";
        const exchanged = await exchange({ client_id: clientId, code, code_verifier: verifier });
        expect(exchanged.body.error).toBe("invalid_grant");
      }
    }
    expect([...outcomes].sort()).toEqual([200, 401]);
  });

  it.each(["an administrator", "a shopper"])(
    "of the exchange of a code of %s, without leaving a session",
    async (who) => {
      for (const moment of MOMENTS.slice(0, 6)) {
        const isStaff = who === "an administrator";
        const person = isStaff ? await anAdministrator() : await anAccount();
        const sent = isStaff
          ? await aStaffCode(person as Awaited<ReturnType<typeof anAdministrator>>)
          : await aShopperCode(person);
        const { status, body } = await callWith(
          { DB: interleaved(env.DB, endAll(person.id), moment) },
          `POST ${ORIGIN}/oauth/token`,
          {
            body: new URLSearchParams({ grant_type: "authorization_code", redirect_uri: REDIRECT, ...sent }).toString(),
            headers: { "Content-Type": "application/x-www-form-urlencoded" },
          },
        );
        await endAll(person.id)();
        if (status !== 200) expect([status, body.error]).toEqual([400, "invalid_grant"]);
        else if (!isStaff) expect((await call("GET /account/profile", { as: body.access_token })).status).toBe(401);
      }
    },
  );
});

it("ends what a code was exchanged for when it comes back, also after its administrator was demoted", async () => {
  const admin = await anAdministrator();
  const app = await anInstalledApp({ staff: admin });
  await db.update(tables.users).set({ role: "customer" }).where(eq(tables.users.id, admin.id));
  expect((await call("GET /products", { as: app.token })).status).toBe(200);
  const again = await exchange({ client_id: app.clientId, code: app.code, code_verifier: app.verifier });
  expect(again.body).toEqual({ error: "invalid_grant", error_description: "The code was already used" });
  expect((await call("GET /products", { as: app.token })).status).toBe(401);
});
