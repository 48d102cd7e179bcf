import type { Context } from "hono";
import { listSessions } from "../../accounts/users/sessions/sessions.ts";
import { findStatus } from "../../accounts/users/two-factor/two-factor.ts";
import { findUser } from "../../accounts/users/users.ts";
import { notFound } from "../../domain/errors.ts";
import type { PanelEnv } from "../env.ts";
import type { Failed } from "../forms/state.ts";
import { DescriptionList } from "../kit/description-list.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { page } from "../page.tsx";
import { ACCOUNT } from "./path.ts";
import { Sessions } from "./sessions.tsx";
import { TwoFactor } from "./two-factor.tsx";

const LATEST = { page: 1, per_page: 20 };

/** The account of who is signed in: how it is protected, and where it is used. */
export async function accountPage(c: Context<PanelEnv>, failed: Failed | null): Promise<Response> {
  const { caller, db } = c.var;
  const [user, status, sessions] = await Promise.all([
    findUser(db, caller.id),
    findStatus(db, caller.id),
    listSessions(db, caller.id, LATEST),
  ]);
  if (!user) throw notFound("The account");
  return page(
    c,
    "Your account",
    <>
      <PageHeader title="Your account" />
      <section class="card">
        <DescriptionList facts={{ Name: user.name, "E-mail": user.email }} />
      </section>
      <TwoFactor status={status} failed={failed} />
      <Sessions sessions={sessions} current={caller.sessionId} path={`${ACCOUNT}/sessions`} />
    </>,
  );
}
