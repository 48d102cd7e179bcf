import { Hono } from "hono";
import * as z from "zod";
import { IdText } from "../../domain/fields.ts";
import { toDecimal } from "../../domain/money.ts";
import { type AppEnv, allow, allowUser, limitUser } from "../../platform/auth/gates.ts";
import { readLicenseSecret } from "../../platform/auth/license-keys.ts";
import { created, list } from "../../platform/http/envelope.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { creates, lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { toTransaction } from "../transactions/public.ts";
import { listGiftCards, redeemGiftCard } from "./gift-cards.ts";
import { GiftCard, GiftCardRedemption, RedeemedGiftCard, toGiftCard } from "./schemas.ts";

const GiftCardsQuery = z.strictObject({ ...PageQuery.shape, order_id: IdText.optional() });

export const giftCardRoutes = new Hono<AppEnv>()
  .get(
    "/account/gift-cards",
    allow("checkout:read"),
    validate("query", GiftCardsQuery),
    lists("listMyGiftCards", "List gift cards you bought", GiftCard),
    async (c) => {
      const page = await listGiftCards(c.var.db, c.var.caller, c.req.valid("query"));
      const secret = await readLicenseSecret(c.var);
      return list(c, "Gift cards", page, (row) => toGiftCard(secret, row));
    },
  )
  .post(
    "/account/gift-cards/redeem",
    allowUser,
    idempotent,
    validate("json", GiftCardRedemption),
    creates("redeemGiftCard", "Redeem a gift card", RedeemedGiftCard, {
      description: "Moves the balance of a gift card, or a part of it, to your wallet, from which orders can be paid.",
      refuses: { 400: ["gift_card_ended", "insufficient_funds", "unknown_gift_card"] },
    }),
    async (c) => {
      const redemption = c.req.valid("json");
      await limitUser(c, c.var.caller, "gift-cards");
      const row = await once(c, redemption, (ctx) => redeemGiftCard(ctx, redemption));
      return created(c, "/api/v1/user/account/transactions", "Gift card redeemed", {
        ...toTransaction(row, c.var.settings.currency),
        gift_card_balance: toDecimal(row.giftCardBalance),
      });
    },
  );
