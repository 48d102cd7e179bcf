import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { users } from "../../src/platform/db/schema.ts";
import { accountNow, anAccount, aSession, logIn, PASSWORD, profileStatus } from "../support/accounts.ts";
import { entriesOf } from "../support/administration.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { anAdministrator } from "../support/panel.ts";
import { aRefusal, expectRefusal } from "../support/refusal.ts";
import { aKey, aProduct, aUser, db, orderOf } from "../support/shop.ts";

let admin: Awaited<ReturnType<typeof aUser>>;
let emails = 0;

/** A new administrator for each test, because administrators are rate limited too. */
beforeEach(async () => {
  admin = await aUser({ role: "admin", name: "Zeno Admin" });
});

const anEmail = () => `somebody-${++emails}@shop.test`;
const ask = (line: string, body?: unknown, headers?: Record<string, string>) =>
  call(line, { as: admin.token, body, ...(headers && { headers }) });
const change = (id: number, body: unknown, headers?: Record<string, string>) =>
  ask(`PUT /admin/users/${id}`, body, headers);
const found = async (query: string, as = admin.token) => {
  const { body } = await call(`GET /admin/users?per_page=100&${query}`, { as });
  return body.data.map(({ id }: { id: number }) => id);
};

describe("looking for users", () => {
  it("shows the whole record, newest first, without any password data", async () => {
    const [older, newer] = [await aUser({ wallet: 1250 }), await aUser()];
    const { status, body } = await ask("GET /admin/users?per_page=2");
    expect(status).toBe(200);
    expect(body.data).toEqual([
      expect.objectContaining({ id: newer.id }),
      {
        id: older.id,
        email: older.email,
        email_verified_at: new Date(Number(older.emailVerifiedAt)).toISOString(),
        pending_email: null,
        name: older.name,
        role: "customer",
        phone: null,
        company: null,
        accepts_marketing: false,
        tax_exempt_reason: null,
        external_id: null,
        metadata: {},
        tags: [],
        wallet_balance: 12.5,
        wallet_locked_until: null,
        currency: "USD",
        disabled_at: null,
        order_count: 0,
        spent: 0,
        erase_at: null,
        created_at: new Date(older.createdAt).toISOString(),
        updated_at: new Date(older.updatedAt).toISOString(),
      },
    ]);
    expect(body.pagination).toMatchObject({
      current_page: 1,
      total_items: await db.$count(users, eq(users.role, "customer")),
    });
    expect(JSON.stringify(body)).not.toMatch(/hash|scrypt|password/);
  });

  it("counts the orders of one user, and returns an ETag", async () => {
    const user = await aUser({ wallet: 10_000 });
    await call("POST /orders", { as: user.token, body: orderOf(await aProduct()) });
    const { headers, body } = await ask(`GET /admin/users/${user.id}`);
    expect(body.data).toMatchObject({ id: user.id, wallet_balance: 90, order_count: 1 });
    expect(headers.get("ETag")).toBeTruthy();
  });

  it("lists customers by state, without staff", async () => {
    const active = await aUser();
    const disabled = await anAccount({ disabledAt: Date.now() });
    const former = await anAccount({ role: "admin", disabledAt: Date.now() });
    const listed = await found("");
    expect(listed).toEqual(expect.arrayContaining([active.id, disabled.id]));
    expect(listed.filter((id: number) => [admin.id, former.id].includes(id))).toEqual([]);
    expect(await found("state=active")).not.toContain(disabled.id);
    expect(await found("state=disabled")).toEqual([disabled.id]);
  });

  it.each([
    ["grace.hopper-", true],
    ["GRACE.Hopper-7@", true],
    ["grace brewster", true],
    ["  GRACE BREW ", true],
    ["hopper", true],
    ["murray gra", true],
    ["race", false],
    ["grace murray jr", false],
    ["%", false],
    ["grace opper", false],
  ])("finds %j by words of an address or a name: %s", async (search, expected) => {
    const { id } = await anAccount({ name: "Grace Brewster Murray Hopper" });
    await db
      .update(users)
      .set({ email: `grace.hopper-7@${id}.test` })
      .where(eq(users.id, id));
    const ids = await found(`search=${encodeURIComponent(search)}`);
    expect(ids.includes(id)).toBe(expected);
  });

  it("finds a name with non-ASCII letters in any spelling", async () => {
    const { id } = await aUser({ name: "Émile Żak" });
    for (const search of ["émile", "ÉMILE", "emile", "żak émile", "Émile ŻA"]) {
      expect(await found(`search=${encodeURIComponent(search)}`), search).toEqual([id]);
    }
  });

  it("searches customers within a state", async () => {
    const name = "Searched Person";
    const [customer, disabled] = [await aUser({ name }), await anAccount({ name, disabledAt: 1 })];
    await aUser({ name, role: "admin" });
    expect(await found("search=searched")).toEqual([disabled.id, customer.id]);
    expect(await found("search=searched&state=active")).toEqual([customer.id]);
  });

  it.each(["'", '"', "\\", "';--", "' OR 1=1 --", "%00", "\u0000", "*", "[", "💥", "\u{10FFFF}", "x".repeat(254)])(
    "treats %j as text that matches nothing",
    async (search) => {
      const { status, body } = await ask(`GET /admin/users?search=${encodeURIComponent(search)}`);
      expect([status, body.data]).toEqual([200, []]);
    },
  );

  it.each([
    ["role", "role=customer"],
    ["state", "state=gone"],
    ["search", `search=${"x".repeat(255)}`],
    ["per_page", "per_page=101"],
    ["sort", "sort=email"],
  ])("refuses a wrong %s", async (field, query) => {
    expectRefusal(await ask(`GET /admin/users?${query}`), 400, field);
  });

  it("reads in one round trip", async () => {
    for (const line of ["GET /admin/users?search=a&state=active", `GET /admin/users/${admin.id}`]) {
      const { bindings, trips } = counted();
      await callWith(bindings, line, { as: admin.token });
      expect(trips.d1).toBe(1);
    }
  });
});

describe("editing a user", () => {
  it("changes only the fields that are sent", async () => {
    const { id } = await anAccount();
    const before = await accountNow(id);
    const { status, body } = await change(id, { name: " Grace " });
    expect([status, body.data.name]).toEqual([200, "Grace"]);
    expect(await accountNow(id)).toEqual({
      ...before,
      name: "Grace",
      sortName: "Grace",
      updatedAt: expect.any(Number),
    });
    const [entry] = await entriesOf(id);
    expect(entry).toMatchObject({
      actor: `user:${admin.id}`,
      action: "user.update",
      subject: "user",
      before: { name: before.name },
      after: { name: "Grace" },
    });
  });

  it.each<[field: string, body: unknown]>([
    ["body", {}],
    ["name", { name: " " }],
    ["name", { name: "x".repeat(101) }],
    ["name", { name: "a\u0000b" }],
    ["email", { email: "no address" }],
    ["email", { email: `${"x".repeat(250)}@shop.test` }],
    ["role", { role: "owner" }],
    ["role", { role: null }],
    ["disabled", { disabled: "yes" }],
    ["password", { password: "7 chars" }],
    ["password", { password: "x".repeat(129) }],
    ["wallet_balance", { wallet_balance: 100 }],
    ["password_hash", { password_hash: "x" }],
  ])("refuses a wrong %s and leaves nothing behind: %j", async (field, body) => {
    const { id } = await anAccount();
    const before = await accountNow(id);
    const valid = typeof body === "object" && field !== "body" ? { name: "New", ...body } : body;
    expectRefusal(await change(id, valid), 400, field);
    expect(await accountNow(id)).toEqual(before);
    expect(await entriesOf(id)).toEqual([]);
  });

  it("refuses an address that is taken, and leaves the sessions unchanged", async () => {
    const [user, other] = [await anAccount(), await aUser()];
    expectRefusal(await change(user.id, { email: other.email.toUpperCase(), password: "another one" }), 400, "email");
    expect(await profileStatus(user.token)).toBe(200);
    expect(await entriesOf(user.id)).toEqual([]);
  });

  it("keeps a script in a name as text", async () => {
    const name = "<script>alert(1)</script>' OR '1";
    expect((await change((await aUser()).id, { name })).body.data.name).toBe(name);
  });

  it("sees an edit that the user made in between", async () => {
    const user = await aUser();
    const etag = String((await ask(`GET /admin/users/${user.id}`)).headers.get("ETag"));
    await call("PUT /account/profile", { as: user.token, body: { name: "My own" } });
    expectRefusal(await change(user.id, { name: "Theirs" }, { "If-Match": etag }), 412, "if-match");
  });
});

describe("disabling a user", () => {
  it("ends everything at once: tokens, sessions, refresh, login", async () => {
    const user = await anAccount();
    const other = await aSession(user.id);
    expect(await profileStatus(user.token)).toBe(200);
    const { body } = await change(user.id, { disabled: true });
    expect(body.data.disabled_at).toEqual(expect.any(String));
    expect([await profileStatus(user.token), await profileStatus(other.token)]).toEqual([401, 401]);
    const refreshed = await call("POST /auth/refresh", { body: { refresh_token: other.refreshToken } });
    expect([refreshed.status, (await logIn(user.email, PASSWORD)).status]).toEqual([401, 401]);
    expect((await entriesOf(user.id))[0]).toMatchObject({ before: { disabled: false }, after: { disabled: true } });
  });

  it("keeps the time of disabling, and restores no old session when it is enabled", async () => {
    const user = await anAccount();
    const { body } = await change(user.id, { disabled: true });
    const again = await change(user.id, { disabled: true });
    expect(again.body.data.disabled_at).toBe(body.data.disabled_at);
    expect((await change(user.id, { disabled: false })).body.data.disabled_at).toBeNull();
    expect(await profileStatus(user.token)).toBe(401);
    expect((await logIn(user.email, PASSWORD)).status).toBe(200);
  });

  it("ends an administrator's session in the panel", async () => {
    const other = await anAdministrator();
    expect((await other.get("/admin")).status).toBe(200);
    await change(other.id, { disabled: true });
    expect((await other.get("/admin")).status).toBe(303);
  });
});

describe("a password that an administrator sets", () => {
  it("is required to sign in, and ends every session", async () => {
    const user = await anAccount();
    const other = await aSession(user.id);
    expect([await profileStatus(user.token), await profileStatus(other.token)]).toEqual([200, 200]);
    await change(user.id, { password: "given by the shop" });
    expect([await profileStatus(user.token), await profileStatus(other.token)]).toEqual([401, 401]);
    expect((await logIn(user.email, PASSWORD)).status).toBe(401);
    expect((await logIn(user.email, "given by the shop")).status).toBe(200);
  });

  it("is logged as changed, without its value", async () => {
    const { id } = await anAccount();
    await change(id, { password: "given by the shop", name: "Grace" });
    const [entry] = await entriesOf(id);
    expect(entry?.after).toEqual({ name: "Grace", password: "changed" });
    expect(entry?.before).not.toHaveProperty("password");
    expect(JSON.stringify(entry)).not.toMatch(/scrypt|given by/);
  });
});

describe("administrators", () => {
  it("are made and unmade by role, from the very next request on", async () => {
    const user = await anAccount({ role: "viewer" });
    const asks = async () => (await call("GET /admin/staff", { as: user.token })).status;
    expect(await asks()).toBe(403);
    await change(user.id, { role: "admin" });
    expect(await asks()).toBe(200);
    await change(user.id, { role: "customer" });
    expect(await asks()).toBe(403);
    expect((await entriesOf(user.id))[0]).toMatchObject({ before: { role: "admin" }, after: { role: "customer" } });
  });

  const onlyTwo = async () => {
    await db.update(users).set({ role: "admin" }).where(eq(users.id, admin.id));
    const other = await aUser({ role: "admin" });
    const rest = await db.select({ id: users.id }).from(users).where(eq(users.role, "admin"));
    for (const { id } of rest) {
      if (id !== admin.id && id !== other.id) {
        await db.update(users).set({ role: "customer" }).where(eq(users.id, id));
      }
    }
    return other;
  };
  const active = async () => {
    const { body } = await ask("GET /admin/staff?per_page=100");
    return body.data.flatMap((row: { id: number; role: string; disabled_at: string | null }) =>
      row.role === "admin" && row.disabled_at === null ? row.id : [],
    );
  };

  it.each([{ role: "customer" }, { disabled: true }])("cannot lose the last one: %j", async (body) => {
    const other = await onlyTwo();
    expect((await change(other.id, body)).status).toBe(200);
    const answer = await change(admin.id, body);
    const lastOne = aRefusal("last_administrator", expect.stringMatching(/last active administrator/));
    expect([answer.status, answer.body]).toEqual([409, lastOne]);
    expect(await active()).toEqual([admin.id]);
    expect(await entriesOf(admin.id)).toEqual([]);
    expect((await change(admin.id, { name: "Still here" })).status).toBe(200);
  });

  it("keep one if they demote each other at the same moment", async () => {
    const other = await onlyTwo();
    const body = { role: "customer" };
    const answers = await Promise.all([
      call(`PUT /admin/users/${other.id}`, { as: admin.token, body }),
      call(`PUT /admin/users/${admin.id}`, { as: other.token, body }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = await db.select({ id: users.id }).from(users).where(eq(users.role, "admin"));
    expect(left).toHaveLength(1);
  });
});

describe("an API key", () => {
  it("edits customers, and is named in the log", async () => {
    const [{ id: keyId, key }, { id }] = [await aKey({ permissions: ["users:write"] }), await aUser()];
    const body = { name: "Grace", email: anEmail(), disabled: true };
    const answer = await call(`PUT /admin/users/${id}`, { as: key, body });
    expect([answer.status, answer.body.data.proposed_email]).toEqual([200, body.email]);
    expect((await entriesOf(id))[0]?.actor).toBe(`api_key:${keyId}`);
  });

  it.each(["role", "password"])("cannot give anybody a %s", async (field) => {
    const { key } = await aKey();
    const user = await anAccount();
    const before = await accountNow(user.id);
    const sent = { name: "New", role: "admin", password: "a new password" };
    const body = { name: sent.name, [field]: Reflect.get(sent, field) };
    expectRefusal(await call(`PUT /admin/users/${user.id}`, { as: key, body }), 403, field);
    expect(await accountNow(user.id)).toEqual(before);
  });

  it("cannot find administrators: in lists, by id, to edit or to credit", async () => {
    const { key } = await aKey();
    const other = await aUser({ role: "admin", name: "Hidden Chief" });
    const customer = await aUser({ name: "Hidden Customer" });
    expect(await found("search=hidden", key)).toEqual([customer.id]);
    expect(await found("", key)).not.toContain(other.id);
    const body = { amount: 1, reason: "Gift" };
    for (const [line, sent] of [
      [`GET /admin/users/${other.id}`],
      [`PUT /admin/users/${other.id}`, { name: "Taken over" }],
      [`POST /admin/users/${other.id}/credit`, body],
    ] as const) {
      expect((await call(line, { as: key, body: sent })).status, line).toBe(404);
    }
    expect(await entriesOf(other.id)).toEqual([]);
  });

  it("is named in the log when it signs somebody up; a person who signs up is not", async () => {
    const { id: keyId, key } = await aKey({ permissions: ["users:write"] });
    const signup = (as?: string) =>
      call("POST /auth/signup", { as, body: { email: anEmail(), password: PASSWORD, name: "New" } });
    const [byKey, alone] = [await signup(key), await signup()];
    const { id, email } = byKey.body.data.user;
    expect(await entriesOf(id)).toEqual([
      expect.objectContaining({
        actor: `api_key:${keyId}`,
        action: "user.create",
        before: null,
        after: {
          email,
          name: "New",
          role: "customer",
          phone: null,
          company: null,
          accepts_marketing: false,
          metadata: {},
        },
      }),
    ]);
    expect(await entriesOf(alone.body.data.user.id)).toEqual([]);
  });
});
