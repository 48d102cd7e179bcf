import { describe, expect, it } from "vitest";
import { aSession, profileStatus } from "../../support/accounts.ts";
import { call } from "../../support/call.ts";
import { aRefusal } from "../../support/refusal.ts";
import { aKey, aUser } from "../../support/shop.ts";

const logOut = (options: Parameters<typeof call>[1]) => call("POST /auth/logout", options);
const refresh = async (refresh_token: string) => (await call("POST /auth/refresh", { body: { refresh_token } })).status;

/** A session whose access token was used, so that its limiter has it in memory. */
async function used(userId: number) {
  const session = await aSession(userId);
  expect(await profileStatus(session.token)).toBe(200);
  return session;
}

describe("with the access token alone", () => {
  it("ends its session: the very next request is refused everywhere, and so is its refresh token", async () => {
    const { token, refreshToken } = await used((await aUser()).id);
    const { status, body, headers } = await logOut({ as: token });
    expect([status, body]).toEqual([204, ""]);
    expect(headers.get("X-RateLimit-Remaining")).toBe("98");
    for (const line of ["GET /account/profile", "GET /files", "GET /products", "POST /auth/logout"]) {
      const answer = await call(line, { as: token });
      expect(answer.status, line).toBe(401);
      expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
      expect(answer.body).toEqual(aRefusal("invalid_token", expect.stringContaining("ended")));
    }
    expect(await refresh(refreshToken)).toBe(401);
  });

  it.each<[string, Parameters<typeof call>[1]]>([
    ["an empty object", { body: {} }],
    // Part 5 of the specification lists the header for every request, with or without a body.
    ["no body but its type", { headers: { "Content-Type": "application/json" } }],
  ])("treats %s as no token", async (_, options) => {
    const { token } = await used((await aUser()).id);
    expect((await logOut({ as: token, ...options })).status).toBe(204);
    expect(await profileStatus(token)).toBe(401);
  });

  it("ends every access token of the session, and no other session", async () => {
    const [user, stranger] = [await aUser(), await aUser()];
    const [one, other, theirs] = [await used(user.id), await used(user.id), await used(stranger.id)];
    const refreshed = await call("POST /auth/refresh", { body: { refresh_token: one.refreshToken } });
    expect(await profileStatus(refreshed.body.data.token)).toBe(200);
    await logOut({ as: one.token });
    expect([await profileStatus(one.token), await profileStatus(refreshed.body.data.token)]).toEqual([401, 401]);
    expect(await refresh(refreshed.body.data.refresh_token)).toBe(401);
    expect([
      await profileStatus(other.token),
      await profileStatus(user.token),
      await profileStatus(theirs.token),
    ]).toEqual([200, 200, 200]);
    expect([await refresh(other.refreshToken), await refresh(theirs.refreshToken)]).toEqual([200, 200]);
  });
});

describe("with a refresh token", () => {
  it("ends its session without a credential", async () => {
    const { token, refreshToken } = await used((await aUser()).id);
    const other = await used((await aUser()).id);
    expect((await logOut({ body: { refresh_token: refreshToken } })).status).toBe(204);
    expect([await profileStatus(token), await refresh(refreshToken)]).toEqual([401, 401]);
    expect(await profileStatus(other.token)).toBe(200);
  });

  it("ends its session even if the token was exchanged in the meantime", async () => {
    const { token, refreshToken } = await used((await aUser()).id);
    const { body } = await call("POST /auth/refresh", { body: { refresh_token: refreshToken } });
    expect((await logOut({ body: { refresh_token: refreshToken } })).status).toBe(204);
    expect([await profileStatus(token), await profileStatus(body.data.token)]).toEqual([401, 401]);
    expect(await refresh(body.data.refresh_token)).toBe(401);
  });

  it("ends its session for a shop, through its key", async () => {
    const { key } = await aKey({ permissions: ["users:write"] });
    const { token, refreshToken } = await used((await aUser()).id);
    expect((await logOut({ as: key, body: { refresh_token: refreshToken } })).status).toBe(204);
    expect(await profileStatus(token)).toBe(401);
  });

  it("succeeds if the token is unknown or its session has ended already", async () => {
    const { refreshToken } = await used((await aUser()).id);
    for (const refresh_token of ["none", refreshToken, refreshToken]) {
      expect((await logOut({ body: { refresh_token } })).status).toBe(204);
    }
  });

  it("ends the access token too, even if the refresh token is unknown", async () => {
    const { token } = await used((await aUser()).id);
    expect((await logOut({ as: token, body: { refresh_token: "long forgotten" } })).status).toBe(204);
    expect(await profileStatus(token)).toBe(401);
  });
});

it.each<[string, () => Promise<string | undefined>]>([
  ["anonymous", async () => undefined],
  ["an API key", async () => (await aKey()).key],
])("requires a refresh token from %s", async (_, credential) => {
  for (const body of [undefined, {}]) {
    const { status, body: answer } = await logOut({ as: await credential(), body });
    expect([status, Object.keys(answer.errors)]).toEqual([400, ["refresh_token"]]);
  }
});

it("ends only that session when two requests sign out of it at once", async () => {
  const user = await aUser();
  const { token, refreshToken } = await used(user.id);
  const answers = await Promise.all([logOut({ as: token }), logOut({ body: { refresh_token: refreshToken } })]);
  for (const { status } of answers) expect([204, 401]).toContain(status);
  expect([await profileStatus(token), await profileStatus(user.token)]).toEqual([401, 200]);
});
