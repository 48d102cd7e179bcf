import { Hono } from "hono";
import { AdminTransaction, toAdminTransaction } from "../../checkout/transactions/public.ts";
import { IdParam, Nothing } from "../../domain/fields.ts";
import { accountScopeOf, writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer, administrators } from "../../platform/auth/gates.ts";
import { sendInBackground } from "../../platform/email/send.ts";
import { created, list, noContent, ok } from "../../platform/http/envelope.ts";
import { answers, answersNothing, creates, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../platform/http/version.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { CustomerCreate, createCustomer, inviteCustomer } from "./added.ts";
import { changeUser, requireAccount } from "./admin.ts";
import { creditWallet } from "./credit.ts";
import { listCustomers } from "./list.ts";
import { Account, toAccount, toUser, User, UsersQuery, UserUpdate, WalletCredit } from "./schemas.ts";
import { removeTwoFactor } from "./two-factor/enrol.ts";

export const usersAdmin = new Hono<AppEnv>()
  .get(
    "/users",
    administer("users:read"),
    validate("query", UsersQuery),
    lists("listCustomers", "List customers", User),
    async (c) => {
      const page = await listCustomers(c.var.db, c.req.valid("query"));
      return list(c, "Users", page, (row) => toUser(row, c.var.settings.currency));
    },
  )
  .post(
    "/users",
    administer("users:write"),
    idempotent,
    validate("json", CustomerCreate),
    creates("createCustomer", "Add a customer", Account, {
      refuses: { 400: ["email_taken", "external_id_taken"] },
      description:
        "Creates an account without a password. Writes to the customer only with `invite`; `inviteCustomer` does so later.",
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const user = await once(c, sent, (ctx) => createCustomer(ctx, sent));
      sendInBackground(c);
      return created(c, `/api/v1/admin/users/${user.id}`, "Customer added", toAccount(user, c.var.settings.currency));
    },
  )
  .post(
    "/users/:id/invite",
    administer("users:write"),
    idempotent,
    validateAll({ param: IdParam, json: Nothing }),
    answers("inviteCustomer", "Invite a customer to choose a password", Account, {
      refuses: { 409: ["not_invitable"] },
      description: "E-mails the customer a link for choosing a password.",
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const user = await once(c, null, (ctx) => inviteCustomer(ctx, id));
      sendInBackground(c);
      return ok(c, "Invitation sent", toAccount(user, c.var.settings.currency));
    },
  )
  .get(
    "/users/:id",
    administer("users:read"),
    validate("param", IdParam),
    answers("getCustomer", "Get a customer or member of staff", Account, { headers: ["ETag"] }),
    async (c) => {
      const target = { ...c.req.valid("param"), scope: accountScopeOf(c.var.caller) };
      const user = await requireAccount(c.var.db, target);
      return versioned(c, "User", user, toAccount(user, c.var.settings.currency));
    },
  )
  .put(
    "/users/:id",
    administer("users:write"),
    validateAll({ param: IdParam, header: IfMatch, json: UserUpdate }),
    answers("updateCustomer", "Update a customer or member of staff", Account, {
      refuses: {
        400: ["email_taken", "external_id_taken"],
        409: ["account_erased", "last_administrator", "staff_cannot_be_erased"],
      },
      description: "`disabled` ends all of the person's sessions.",
      headers: ["ETag"],
    }),
    async (c) => {
      const [{ id }, change, ifMatch] = [c.req.valid("param"), c.req.valid("json"), c.req.valid("header")];
      const user = await changeUser(writeContextOf(c), { id, change, ifMatch });
      sendInBackground(c);
      return versioned(c, "User updated", user, toAccount(user, c.var.settings.currency));
    },
  )
  .post(
    "/users/:id/credit",
    administer("payments:write"),
    idempotent,
    validateAll({ param: IdParam, json: WalletCredit }),
    creates("creditWallet", "Credit a wallet", AdminTransaction, {
      refuses: { 400: ["negative_balance", "wallet_locked"], 409: ["spending_limit"] },
      description:
        "Adds money to the wallet of a customer, which the customer can spend. A negative amount takes money away.",
    }),
    async (c) => {
      const target = { ...c.req.valid("param"), scope: accountScopeOf(c.var.caller) };
      const credit = c.req.valid("json");
      const transaction = await once(c, credit, (ctx) => creditWallet(ctx, { target, ...credit }));
      return created(
        c,
        `/api/v1/admin/transactions?user_id=${target.id}`,
        "Wallet credited",
        toAdminTransaction(transaction, c.var.settings.currency),
      );
    },
  );

export const twoFactorAdmin = new Hono<AppEnv>().delete(
  "/users/:id/two-factor",
  administrators,
  validate("param", IdParam),
  answersNothing("removeTwoFactor", "Remove the second factor of a user", {
    refuses: { 409: ["own_two_factor", "two_factor_not_enabled"] },
  }),
  async (c) => {
    await removeTwoFactor(writeContextOf(c), c.req.valid("param").id);
    sendInBackground(c);
    return noContent(c);
  },
);
