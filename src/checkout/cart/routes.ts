import { type Context, Hono } from "hono";
import { notFound } from "../../domain/errors.ts";
import { IdParam } from "../../domain/fields.ts";
import { callerName, writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, allow } from "../../platform/auth/gates.ts";
import { created, noContent, ok } from "../../platform/http/envelope.ts";
import { answers, answersNothing, creates } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { addCartItem } from "./add.ts";
import {
  additionOutcome,
  type CartView,
  changeOutcome,
  clearCart,
  findAnswered,
  findCart,
  removeCartItem,
  setCartItem,
} from "./cart.ts";
import { Cart, CartHeaders, CartItemCreate, CartItemUpdate, type CartOwner, cartOwner, toCart } from "./schemas.ts";

const headers = validate("header", CartHeaders);

export const cart = new Hono<AppEnv>()
  .get(
    "/cart",
    allow("carts:read"),
    headers,
    answers("getCart", "Get the cart", Cart, {
      description: "A user has one cart. An API key names a guest's cart in `X-Cart-Token`.",
      headers: ["X-Cart-Token"],
      refuses: { 404: ["not_found"] },
    }),
    async (c) => {
      const owner = cartOwner(c.var.caller, c.req.valid("header"));
      const view = await findCart(c.var.db, owner, Date.now());
      if (!view.cart) mustBeNew(owner);
      return ok(c, withCartName(owner, "Cart"), wire(c, owner, view));
    },
  )
  .post(
    "/cart",
    allow("carts:write", "sandboxed"),
    idempotent,
    headers,
    validate("json", CartItemCreate),
    creates("addCartItem", "Add to the cart", Cart, {
      description:
        "Adds to the units that the cart has, up to the stock. An API key that sends no `X-Cart-Token` opens a cart, and gets its token in the response.",
      headers: ["X-Cart-Token"],
      refuses: {
        400: ["cart_full", "choose_variant", "insufficient_stock", "not_for_sale", "price_changed"],
        404: ["not_found"],
      },
    }),
    async (c) => {
      const [sent, named] = [c.req.valid("json"), c.req.valid("header")];
      const { before, owner, view } = await once(c, [sent, named], (ctx) =>
        addCartItem(ctx, { owner: cartOwner(ctx.caller, named), addition: sent }),
      );
      const { caller, db, idempotencyKey: key } = c.var;
      const answered = view ?? (await findAnswered(db, owner, { caller: callerName(caller), key, now: Date.now() }));
      const message = withCartName(owner, additionOutcome(before, answered, sent, !view));
      return created(c, "/api/v1/user/cart", message, wire(c, owner, answered));
    },
  )
  .delete(
    "/cart",
    allow("carts:write", "sandboxed"),
    headers,
    answersNothing("clearCart", "Empty the cart", { refuses: { 404: ["not_found"] } }),
    async (c) => {
      const owner = cartOwner(c.var.caller, c.req.valid("header"));
      const cart = await clearCart(writeContextOf(c), owner);
      if (!cart) mustBeNew(owner);
      return noContent(c);
    },
  )
  .put(
    "/cart/items/:id",
    allow("carts:write", "sandboxed"),
    headers,
    validateAll({ param: IdParam, json: CartItemUpdate }),
    answers("updateCartItem", "Change an item of the cart", Cart, {
      description: "Replaces the number of units.",
      refuses: { 400: ["choose_variant", "insufficient_stock", "not_for_sale", "price_changed"] },
      headers: ["X-Cart-Token"],
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const sent = c.req.valid("json");
      const owner = cartOwner(c.var.caller, c.req.valid("header"));
      const { before, ...view } = await setCartItem(writeContextOf(c), { owner, id, change: sent });
      return ok(c, changeOutcome(before, view, sent, id), wire(c, owner, view));
    },
  )
  .delete(
    "/cart/items/:id",
    allow("carts:write", "sandboxed"),
    headers,
    validate("param", IdParam),
    answersNothing("removeCartItem", "Remove an item from the cart"),
    async (c) => {
      const { id } = c.req.valid("param");
      const owner = cartOwner(c.var.caller, c.req.valid("header"));
      if (!(await removeCartItem(writeContextOf(c), { owner, id }))) throw notFound(`Cart item ${id}`);
      return noContent(c);
    },
  );

/** Adds instructions for identifying a guest's cart to the message, unless the request already named one. */
const withCartName = (owner: CartOwner, message: string): string =>
  owner.kind === "guest" && owner.isNew ? `${message}. ${HOW_CARTS_ARE_NAMED}` : message;

const HOW_CARTS_ARE_NAMED =
  "Each guest has their own cart: POST /api/v1/user/cart without X-Cart-Token creates one and returns its token in " +
  "data.token and in X-Cart-Token; send it in that header with every other request of this guest";

/** Treats a missing cart as empty, but throws if a token was sent that names no cart. */
function mustBeNew(owner: CartOwner): void {
  if (owner.kind === "guest" && !owner.isNew) throw notFound("The cart in X-Cart-Token");
}

/** Also sends the guest's cart token in a header, so that a proxy can store it without parsing the body. */
function wire(c: Pick<Context<AppEnv>, "header" | "req" | "var">, owner: CartOwner, { cart, lines }: CartView) {
  if (cart && owner.kind === "guest") c.header("X-Cart-Token", owner.token);
  return toCart(cart, lines, { owner, currency: c.var.settings.currency, origin: new URL(c.req.url).origin });
}
