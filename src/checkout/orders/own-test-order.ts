import { and, eq } from "drizzle-orm";
import { createMiddleware } from "hono/factory";
import { requireFound } from "../../domain/errors.ts";
import type { Caller } from "../../platform/auth/caller.ts";
import type { AppEnv } from "../../platform/auth/gates.ts";
import { orders } from "../../platform/db/schema.ts";

type CallerEnv = AppEnv & { Variables: { caller: Caller } };

/** Answers 404 to a test key for orders that it did not place: changes of real orders move money and stock and e-mail customers. */
export const ownTestOrder = createMiddleware<CallerEnv, "/:id">(async (c, next) => {
  const { caller, db } = c.var;
  if (caller.kind === "api_key" && caller.test) {
    const id = Number(c.req.param("id"));
    const isOwn = and(eq(orders.id, id), eq(orders.apiKeyId, caller.id));
    await requireFound(db.select({ id: orders.id }).from(orders).where(isOwn).get(), `Order ${id}`);
  }
  await next();
});
