import { and, eq } from "drizzle-orm";
import { createMiddleware } from "hono/factory";
import { notFound } from "../../domain/errors.ts";
import type { Caller } from "../../platform/auth/caller.ts";
import type { AppEnv } from "../../platform/auth/gates.ts";
import { orders } from "../../platform/db/schema.ts";

type Called = AppEnv & { Variables: { caller: Caller } };

/** Hides every order from a test key but those that it placed, for changes that leave money, stock and customers alone only in these. */
export const ownTestOrder = createMiddleware<Called, "/:id">(async (c, next) => {
  const { caller, db } = c.var;
  if (caller.kind === "api_key" && caller.test) {
    const id = Number(c.req.param("id"));
    const isOwn = and(eq(orders.id, id), eq(orders.apiKeyId, caller.id));
    const own = await db.select({ id: orders.id }).from(orders).where(isOwn).get();
    if (!own) throw notFound(`Order ${id}`);
  }
  await next();
});
