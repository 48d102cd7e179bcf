import { Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { readLicenseSecret } from "../../platform/auth/license-keys.ts";
import { created, list, noContent } from "../../platform/http/envelope.ts";
import { answersNothing, creates, lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { disableGiftCard, issueGiftCard, listAllGiftCards } from "./admin.ts";
import { AdminGiftCard, AllGiftCardsQuery, GiftCard, GiftCardCreate, toAdminGiftCard, toGiftCard } from "./schemas.ts";

export const giftCardsAdmin = new Hono<AppEnv>()
  .get(
    "/gift-cards",
    administer("orders:read"),
    validate("query", AllGiftCardsQuery),
    lists("adminListGiftCards", "List all gift cards", AdminGiftCard),
    async (c) => list(c, "Gift cards", await listAllGiftCards(c.var.db, c.req.valid("query")), toAdminGiftCard),
  )
  .post(
    "/gift-cards",
    administer("payments:write"),
    idempotent,
    validate("json", GiftCardCreate),
    creates("createGiftCard", "Issue a gift card", GiftCard, {
      description: "Gives a gift card away. Only this response has its code.",
      refuses: { 409: ["spending_limit"] },
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const row = await once(c, sent, (ctx) => issueGiftCard(ctx, sent));
      const card = toGiftCard(await readLicenseSecret(c.var), row);
      return created(c, `/api/v1/admin/gift-cards?code_start=${row.nonce}`, "Gift card issued", card);
    },
  )
  .delete(
    "/gift-cards/:id",
    administer("payments:write"),
    validate("param", IdParam),
    answersNothing("disableGiftCard", "Disable a gift card"),
    async (c) => {
      await disableGiftCard(writeContextOf(c), { id: c.req.valid("param").id, ifMatch: {} });
      return noContent(c);
    },
  );
