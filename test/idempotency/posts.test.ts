import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { auditLog, idempotencyKeys } from "../../src/platform/db/schema.ts";
import { routeDescriptionOf } from "../../src/platform/http/route-description.ts";
import { anAdmin } from "../support/administration.ts";
import { type Answer, call } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { db } from "../support/shop.ts";
import { idempotentPosts, type Sent } from "./requests.ts";

/** Routes without Idempotency-Key, with the reason that each needs none. */
const exceptions: Record<string, string> = {
  "/api/v1/admin/orders/quote": "writes nothing",
  "/api/v1/admin/orders/:id/edits/quote": "writes nothing",
  "/api/v1/admin/orders/:id/invoices": "an order that has an invoice keeps it",
  "/api/v1/user/checkout/quote": "writes nothing",
  "/api/v1/user/auth/login": "opens a session and nothing else: a second one harms nobody",
  "/api/v1/user/auth/login/two-factor": "its code is good for once, and the login begins again",
  "/api/v1/user/auth/reauthenticate": "writes the time and nothing else",
  "/api/v1/user/account/two-factor": "another secret takes the place of one that waits",
  "/api/v1/user/account/two-factor/confirm": "enables once, and the codes of a lost answer are replaced by others",
  "/api/v1/user/account/two-factor/recovery-codes": "its code is good for once",
  "/api/v1/user/account/two-factor/disable": "its code is good for once",
  "/api/v1/user/auth/refresh": "a spent token is taken again for some seconds, for an answer that was lost",
  "/api/v1/user/auth/logout": "what has ended stays so",
  "/api/v1/user/account/restore": "an account that stays, stays",
  "/api/v1/admin/users/:id/restore": "an account that stays, stays",
  "/api/v1/user/auth/forgot-password": "a second link takes the place of the first",
  "/api/v1/user/auth/reset-password": "its link works once, and the new password signs in",
  "/api/v1/user/auth/verify-email": "its link works once, and what is verified stays so",
  "/api/v1/user/account/subscriptions/:id/cancel": "what is cancelled stays so",
  "/api/v1/user/account/subscriptions/:id/portal": "only opens a page",
  "/api/v1/admin/subscriptions/:id/cancel": "what is cancelled stays so",
  "/api/v1/user/licenses/activate": "software that names its device activates it once",
  "/api/v1/user/licenses/validate": "only reads the key",
  "/api/v1/user/licenses/deactivate": "a device that is not active stays so",
  "/api/v1/user/orders/link": "only reads the order",
  "/api/v1/user/orders/link/downloads": "a link counts when it is followed",
  "/api/v1/user/orders/link/rotate": "the replaced link works no more",
  "/api/v1/user/auth/verify-email/resend": "a second link takes the place of the first",
  "/api/v1/user/auth/revert-email": "its link works once",
  "/api/v1/webhooks/:provider{stripe|paypal|test}": "known again by the provider's own name for the event",
};

const posts = (await app.routes()).filter(({ method, path }) => method === "POST" && path.startsWith("/api/v1/"));

it("is accepted by every POST, except those that need none", () => {
  const taking = posts.filter(({ handler }) => routeDescriptionOf(handler).idempotent).map(({ path }) => path);
  const all = new Set(posts.map(({ path }) => path));
  expect(all).toEqual(new Set([...taking, ...Object.keys(exceptions)]));
  expect(new Set(taking)).toEqual(new Set(Object.keys(idempotentPosts)));
});

let keys = 0;

it.each(Object.entries(idempotentPosts))(
  "POST %s takes effect once for requests with one key, at once and later, with equal responses, and refuses a different one",
  async (_, { request, other }) => {
    const key = `key-${++keys}`;
    const { headers, ...rest } = await request(anAdmin);
    const sent = { ...rest, headers: { ...headers, "Idempotency-Key": key } };
    const send = ({ path, ...more }: Sent) => call(`POST ${path}`, more);

    const answers = await Promise.all([send(sent), send(sent), send(sent)]);
    const [first, ...others] = answers.filter(({ headers }) => !headers.has("Idempotent-Replayed"));
    if (!first) return expect.fail("Every response was replayed");
    expect(first.status, JSON.stringify(first.body)).toBeLessThan(300);
    expect(others).toEqual([]);
    await expectNoSecret(key, first);

    const logged = await db.$count(auditLog);
    const again = await send(sent);
    for (const { status, body } of [...answers, again]) expect([status, body]).toEqual([first.status, first.body]);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    for (const name of ["ETag", "X-Cart-Token"]) expect(again.headers.get(name)).toBe(first.headers.get(name));
    const refused = await send(other(sent));
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([409, ["idempotency-key"]]);
    expect(await db.$count(auditLog)).toBe(logged);
  },
);

it("stores responses that the rules of a restored database accept", async () => {
  expect(await db.$count(idempotencyKeys)).toBeGreaterThan(0);
  expect(await brokenInvariants()).toEqual({});
});

/** A stored response contains no secret that a reader of the database could use. */
async function expectNoSecret(key: string, { body }: Answer): Promise<void> {
  const kept = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, key)).get();
  expect(kept).toBeDefined();
  const readable = JSON.stringify(kept);
  const secrets = ["key", "token", "refresh_token", "secret"].flatMap((name) => body.data?.[name] ?? []);
  for (const secret of secrets) expect(readable).not.toContain(secret);
  expect(readable).not.toContain("$scrypt$");
}
