import type { Context } from "hono";
import { Fragment, type PropsWithChildren } from "hono/jsx";
import { MAX_NAME } from "../../accounts/users/fields.ts";
import { listSessions, type SessionRow } from "../../accounts/users/sessions/sessions.ts";
import { type FactorStatus, findStatus } from "../../accounts/users/two-factor/two-factor.ts";
import type { UserRow } from "../../accounts/users/users.ts";
import { notFound } from "../../domain/errors.ts";
import { deviceOf } from "../../platform/auth/client.ts";
import { roleWords } from "../../platform/auth/roles.ts";
import type { PageOf } from "../../platform/db/page.ts";
import { notificationsFor, readUserWithNotifications } from "../../platform/email/staff-notifications.ts";
import { kindsOf } from "../forms/conversion.ts";
import { type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { Columns, Field } from "../kit/fields.tsx";
import { Button, ConfirmButton, Form } from "../kit/form.tsx";
import { Card, EmptyState, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, DescriptionList, EmailAddress } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { ACCOUNT, TWO_FACTOR } from "../sections.ts";
import { codeInput, newPasswordInputs, passwordInput } from "../session/sign-in-page.tsx";
import { Notifications } from "./notifications.tsx";

const LATEST = { page: 1, per_page: 20 };

/** Account page of the signed-in user: its security and its sessions. */
export async function accountPage(c: Context<PanelEnv>, failed: Failed | null): Promise<Response> {
  const { caller, db } = c.var;
  const [{ user, choices }, status, sessions] = await Promise.all([
    readUserWithNotifications(db, caller.id),
    findStatus(db, caller.id),
    listSessions(db, caller.id, LATEST),
  ]);
  if (!user) throw notFound("The account");
  const offered = notificationsFor(caller);
  return page(
    c,
    "Your account",
    <>
      <PageHeader />
      <div class="editor">
        <div>
          <Profile user={user} failed={failed} />
          <Password failed={failed} />
        </div>
        <div>
          {offered.length > 0 && <Notifications choices={choices} offered={offered} failed={failed} />}
          <TwoFactor status={status} failed={failed} />
        </div>
      </div>
      <Sessions sessions={sessions} current={caller.sessionId} path={`${ACCOUNT}/sessions`} />
    </>,
  );
}

/** Asks staff to set up the required second factor before they see anything else. */
export const requiredFactorPage = (c: Context<PanelEnv>, failed: Failed | null) =>
  page(
    c,
    "Set up a second factor",
    <>
      <PageHeader />
      <div class="card narrow">
        <p>
          This shop requires a second factor of everyone who works here. It takes a minute and an authenticator app.
        </p>
        <Enable failed={failed} />
      </div>
    </>,
  );

const nameInput = {
  name: { as: "text", label: "Name", autocomplete: "name", required: true, maxlength: MAX_NAME },
} satisfies FormInputs;
export const nameKinds = kindsOf(nameInput);

const Profile = ({ user: { name, email, role }, failed }: { user: UserRow; failed: Failed | null }) => {
  const form = formFor(failed, ACCOUNT, { inputs: nameInput, values: { name } });
  return (
    <Card title="Profile">
      <p class="muted">
        {roleWords[role].label}, signed in as <EmailAddress text={email} />
      </p>
      <Form form={form}>
        <Field form={form} name="name" />
        <Button tone="quiet">Save name</Button>
      </Form>
    </Card>
  );
};

const passwordInputs = {
  current_password: { ...passwordInput, label: "Current password" },
  ...newPasswordInputs,
} satisfies FormInputs;
export const passwordKinds = kindsOf(passwordInputs);

const Password = ({ failed }: { failed: Failed | null }) => {
  const form = formFor(failed, `${ACCOUNT}/password`, { inputs: passwordInputs });
  return (
    <Card title="Password">
      <p class="muted">A new password ends your other sessions.</p>
      <Form form={form} plain>
        <Columns form={form} names={["current_password", "password"]} />
        <Button tone="quiet">Change password</Button>
      </Form>
    </Card>
  );
};

type SessionsProps = {
  sessions: Pick<PageOf<SessionRow>, "rows" | "totalItems">;
  /** The current session. Null on another account's page. */
  current: string | null;
  /** Target of the forms that end sessions. */
  path: string;
};

/** The most recently used sessions of an account, each with a button to end it, and one to end all others. */
export const Sessions = ({ sessions: { rows, totalItems }, current, path }: SessionsProps) => (
  <Card title="Sessions">
    {rows.length === 0 ? (
      <EmptyState title="No active sessions">Sessions appear here when someone signs in.</EmptyState>
    ) : (
      <>
        <Table
          label="Sessions"
          rows={rows}
          columns={[
            { title: "Device", cell: (row) => <Device row={row} current={current} /> },
            { title: "Address", cell: ({ address }) => address },
            { title: "Signed in", cell: ({ createdAt }) => <When at={createdAt} /> },
            { title: "Last used", cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
            {
              title: "End it",
              cell: ({ id }) => (id === current ? null : <End path={`${path}/${id}/end`} current={current} />),
            },
          ]}
        />
        {totalItems > rows.length && <p class="muted">{totalItems - rows.length} more were used longer ago.</p>}
        {totalItems > (current === null ? 0 : 1) && <EndAll path={path} current={current} />}
      </>
    )}
  </Card>
);

const Device = ({ row: { id, userAgent }, current }: { row: SessionRow; current: string | null }) => (
  <>
    <span title={userAgent ?? undefined}>{userAgent === null ? "Unknown" : (deviceOf(userAgent) ?? userAgent)}</span>{" "}
    {id === current && <Badge status="current" />}
  </>
);

/** The user's own sessions, or another account's for viewers who may write accounts. */
const Ending = ({ current, children }: PropsWithChildren<Pick<SessionsProps, "current">>) =>
  current === null ? <Allowed to="users:write">{children}</Allowed> : Fragment({ children });

const End = ({ path, current }: Pick<SessionsProps, "path" | "current">) => (
  <Ending current={current}>
    <Form form={formFor(null, path)}>
      <Button tone="quiet">End</Button>
    </Form>
  </Ending>
);

const EndAll = ({ path, current }: Pick<SessionsProps, "path" | "current">) => (
  <Ending current={current}>
    <div class="actions">
      <ConfirmButton
        form={formFor(null, `${path}/end`)}
        label={current === null ? "End all sessions" : "End all other sessions"}
        title={current === null ? "Sign this account out everywhere?" : "Sign out everywhere else?"}
        text="Anyone using these sessions has to sign in again."
      />
    </div>
  </Ending>
);

type TwoFactorProps = { status: FactorStatus; failed: Failed | null };

/** Second factor of the signed-in user: how to enable or manage it. */
const TwoFactor = ({ status, failed }: TwoFactorProps) => (
  <Card title="Second factor">
    {status.enabledAt === null ? <Enable failed={failed} /> : <Enabled status={status} failed={failed} />}
  </Card>
);

const Enable = ({ failed }: Pick<TwoFactorProps, "failed">) => {
  const form = formFor(failed, TWO_FACTOR, { inputs: { current_password: passwordInput } });
  return (
    <>
      <p class="muted">
        Protects your account if your password is stolen: signing in also takes a code from an authenticator app.
        Enabling it ends your other sessions.
      </p>
      <Form form={form} plain>
        <Field form={form} name="current_password" />
        <Button tone="quiet">Set up an authenticator app</Button>
      </Form>
    </>
  );
};

const Enabled = ({ status: { enabledAt, codesLeft }, failed }: TwoFactorProps) => (
  <>
    <DescriptionList facts={{ "Enabled since": <When at={enabledAt} />, "Recovery codes left": codesLeft }} />
    <div class="actions">
      <WithCode
        failed={failed}
        path={`${TWO_FACTOR}/recovery-codes`}
        label="New recovery codes"
        title="Replace your recovery codes?"
        text="Your current codes will stop working."
      />
      <WithCode
        failed={failed}
        path={`${TWO_FACTOR}/disable`}
        label="Disable"
        title="Disable the second factor?"
        text="Anyone who knows your password will be able to sign in."
        danger
      />
    </div>
  </>
);

type WithCodeProps = Pick<TwoFactorProps, "failed"> & {
  path: string;
  label: string;
  title: string;
  text: string;
  danger?: boolean;
};

const WithCode = ({ failed, path, danger = false, ...words }: WithCodeProps) => {
  const form = formFor(failed, path, { inputs: { code: codeInput } });
  return (
    <ConfirmButton form={form} {...words} tone={danger ? "danger" : "primary"}>
      <Field form={form} name="code" />
    </ConfirmButton>
  );
};
