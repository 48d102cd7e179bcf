import { type Author, authorOf } from "../../platform/auth/author.ts";
import type { UserCaller } from "../../platform/auth/caller.ts";
import { type AddressedRequest, loginOrigin } from "../../platform/auth/client-address.ts";
import type { Database } from "../../platform/db/client.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { type SessionClient, sessionClientOf } from "./sessions/sessions.ts";

/** A caller's request to change their own account, with its client. Login attempts count against `origin`. */
export type OwnRequest = {
  env: Env;
  db: Database;
  settings: Settings;
  caller: UserCaller;
  author: Author;
  client: SessionClient;
  origin: string | null;
};

type Asking = AddressedRequest & {
  env: Env;
  var: { caller: UserCaller; db: Database; settings: Settings; requestId: string };
};

export const ownRequestOf = (c: Asking): OwnRequest => ({
  env: c.env,
  db: c.var.db,
  settings: c.var.settings,
  caller: c.var.caller,
  author: authorOf(c),
  client: sessionClientOf(c),
  origin: loginOrigin(c),
});
