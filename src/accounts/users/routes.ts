import { Hono } from "hono";
import { notFound, requireFound } from "../../domain/errors.ts";
import { IdParam } from "../../domain/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, allowUser, allowUserOrApp, limitUser } from "../../platform/auth/gates.ts";
import { sendInBackground } from "../../platform/email/send.ts";
import { created, list, noContent, ok } from "../../platform/http/envelope.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { answers, answersNothing, creates, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { accountContextOf } from "./account-context.ts";
import {
  AccountAddress,
  AddressCreate,
  AddressUpdate,
  changeAddress,
  deleteAddress,
  insertAddress,
  listAddresses,
  requireAddress,
  toAccountAddress,
} from "./addresses.ts";
import { changeProfile, ProfileUpdate } from "./profile.ts";
import { Profile, toProfile } from "./schemas.ts";
import { closeOtherSessions, closeSession } from "./sessions/end.ts";
import { AccountSession, listSessions, SessionParam, toAccountSession } from "./sessions/sessions.ts";
import { findUser } from "./users.ts";

export const profile = new Hono<AppEnv>()
  .get(
    "/account/profile",
    allowUserOrApp("profile"),
    answers("getMyProfile", "Get your profile", Profile, { refuses: { 404: ["not_found"] } }),
    async (c) => {
      const user = await requireFound(findUser(c.var.db, c.var.caller.id), "The account");
      return ok(c, "Profile", toProfile(user, c.var.settings.currency));
    },
  )
  .put(
    "/account/profile",
    allowUser,
    validate("json", ProfileUpdate),
    answers("updateMyProfile", "Update your profile", Profile, {
      description: "A new e-mail address or password needs the current password.",
      refuses: {
        400: ["email_taken", "wrong_password"],
        404: ["not_found"],
        409: ["changed_meanwhile"],
        429: ["too_many_attempts"],
      },
    }),
    async (c) => {
      const change = c.req.valid("json");
      if (change.current_password !== undefined) await limitUser(c, c.var.caller, "sign-in");
      const user = await changeProfile(accountContextOf(c), change);
      if (change.current_password !== undefined) sendInBackground(c);
      return ok(c, "Profile updated", toProfile(user, c.var.settings.currency));
    },
  );

export const addressRoutes = new Hono<AppEnv>()
  .get(
    "/account/addresses",
    allowUserOrApp("addresses"),
    validate("query", PageQuery),
    lists("listMyAddresses", "List your addresses", AccountAddress),
    async (c) => {
      const page = await listAddresses(c.var.db, c.var.caller.id, c.req.valid("query"));
      return list(c, "Addresses", page, toAccountAddress);
    },
  )
  .post(
    "/account/addresses",
    allowUser,
    idempotent,
    validate("json", AddressCreate),
    creates("createMyAddress", "Add an address", AccountAddress, { refuses: { 409: ["too_many_addresses"] } }),
    async (c) => {
      const sent = c.req.valid("json");
      const address = await once(c, sent, (ctx) => insertAddress(ctx, sent));
      return created(c, `/api/v1/user/account/addresses/${address.id}`, "Address added", toAccountAddress(address));
    },
  )
  .get(
    "/account/addresses/:id",
    allowUserOrApp("addresses"),
    validate("param", IdParam),
    answers("getMyAddress", "Get one of your addresses", AccountAddress),
    async (c) => {
      const address = await requireAddress(c.var.db, c.var.caller.id, c.req.valid("param").id);
      return ok(c, "Address", toAccountAddress(address));
    },
  )
  .put(
    "/account/addresses/:id",
    allowUser,
    validateAll({ param: IdParam, json: AddressUpdate }),
    answers("updateMyAddress", "Update one of your addresses", AccountAddress, {
      refuses: { 409: ["changed_meanwhile"] },
    }),
    async (c) => {
      const [{ id }, change] = [c.req.valid("param"), c.req.valid("json")];
      const address = await changeAddress(writeContextOf(c), { id, change });
      return ok(c, "Address updated", toAccountAddress(address));
    },
  )
  .delete(
    "/account/addresses/:id",
    allowUser,
    validate("param", IdParam),
    answersNothing("deleteMyAddress", "Delete one of your addresses"),
    async (c) => {
      const { id } = c.req.valid("param");
      if (!(await deleteAddress(writeContextOf(c), id))) throw notFound(`Address ${id}`);
      return noContent(c);
    },
  );

export const sessionRoutes = new Hono<AppEnv>()
  .get(
    "/account/sessions",
    allowUser,
    validate("query", PageQuery),
    lists("listMySessions", "List your sessions", AccountSession),
    async (c) => {
      const { caller, db } = c.var;
      const page = await listSessions(db, caller.id, c.req.valid("query"));
      return list(c, "Sessions", page, (row) => toAccountSession(row, caller.sessionId));
    },
  )
  .delete(
    "/account/sessions",
    allowUser,
    answersNothing("revokeMyOtherSessions", "End all your other sessions"),
    async (c) => {
      await closeOtherSessions(writeContextOf(c));
      return noContent(c);
    },
  )
  .delete(
    "/account/sessions/:id",
    allowUser,
    validate("param", SessionParam),
    answersNothing("revokeMySession", "End one of your sessions"),
    async (c) => {
      const { id } = c.req.valid("param");
      const ended = await closeSession(writeContextOf(c), { userId: c.var.caller.id, id });
      if (!ended) throw notFound("The session");
      return noContent(c);
    },
  );
