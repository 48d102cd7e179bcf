import { Fragment, type PropsWithChildren } from "hono/jsx";
import type { SessionRow } from "../../accounts/users/sessions/sessions.ts";
import { deviceOf } from "../../domain/device.ts";
import type { PageOf } from "../../platform/db/page.ts";
import { formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Badge } from "../kit/badge.tsx";
import { Button } from "../kit/buttons.tsx";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { Form } from "../kit/form.tsx";
import { Table } from "../kit/table.tsx";
import { When } from "../kit/when.tsx";

type Props = {
  sessions: Pick<PageOf<SessionRow>, "rows" | "totalItems">;
  /** The session that shows the page; null where they are somebody else's. */
  current: string | null;
  /** Where the forms go that end them. */
  path: string;
};

/** An account's sessions that were used last, each with a button that ends it, and one that ends all others. */
export const Sessions = ({ sessions: { rows, totalItems }, current, path }: Props) => (
  <section class="card">
    <h2>Sessions</h2>
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
  </section>
);

const Device = ({ row: { id, userAgent }, current }: { row: SessionRow; current: string | null }) => (
  <>
    <span title={userAgent ?? undefined}>{userAgent === null ? "Unknown" : (deviceOf(userAgent) ?? userAgent)}</span>{" "}
    {id === current && <Badge status="current" />}
  </>
);

/** One's own sessions, or somebody else's for those who may write accounts. */
const Ending = ({ current, children }: PropsWithChildren<Pick<Props, "current">>) =>
  current === null ? <Allowed to="users:write">{children}</Allowed> : Fragment({ children });

const End = ({ path, current }: Pick<Props, "path" | "current">) => (
  <Ending current={current}>
    <Form form={formFor(null, path)}>
      <Button tone="quiet">End</Button>
    </Form>
  </Ending>
);

const EndAll = ({ path, current }: Pick<Props, "path" | "current">) => (
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
