import { Hono } from "hono";
import * as z from "zod";
import { type EventType, eventTypeNames } from "../../domain/event-types.ts";
import { wholeNumber } from "../../domain/fields.ts";
import { type EventRow, readableTypes, readNewestEvents } from "../../integrations/events/events.ts";
import { toEvent } from "../../integrations/events/schemas.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import type { FormState } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { Clock, dayGroup } from "../kit/dates.tsx";
import { choiceFilter, FilterBar, labelled } from "../kit/filters.tsx";
import { ErrorSummary, LinkButton } from "../kit/form.tsx";
import { EmptyState, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Reference } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { type Names, readNames, templateLabel } from "../references.ts";

const EVENTS_PATH = "/admin/events";
const MAX_ROWS = 25;

const NewestEventsQuery = z.strictObject({
  type: z.enum(eventTypeNames).optional(),
  before_id: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
});

const filtersFor = (types: readonly EventType[]) => ({ type: choiceFilter("Type", labelled(types, inWords)) });

/** "Order paid" */
const inWords = (type: string): string => templateLabel(type.replace(".", " "));

export const eventPages = new Hono<PanelEnv>().get("/events", administer("events:read"), async (c) => {
  const { caller, db } = c.var;
  const readable = readableTypes(caller);
  const { query, form } = readFilters(c, NewestEventsQuery, filtersFor(readable));
  const { rows, next } = await readNewestEvents(db, {
    beforeId: query.before_id,
    types: query.type ? readableTypes(caller, [query.type]) : readable,
    scope: accountScopeOf(caller),
    limit: MAX_ROWS,
  });
  const names = await readNames(
    db,
    rows.map(({ subject }) => subject),
  );
  const older =
    next === null
      ? null
      : `${EVENTS_PATH}?${new URLSearchParams({ ...(query.type && { type: query.type }), before_id: String(next) })}`;
  return page(c, "Events", <EventsPage rows={rows} form={form} names={names} older={older} />);
});

type EventsPageProps = {
  rows: EventRow[];
  form: FormState<"type">;
  names: Names;
  /** URL of the earlier events. */
  older: string | null;
};

const EventsPage = ({ rows, form, names, older }: EventsPageProps) => (
  <>
    <PageHeader>
      <LinkButton needs="webhooks:read" href="/admin/webhooks">
        Webhooks
      </LinkButton>
    </PageHeader>
    <p class="muted">
      What happened in the shop in the last 30 days, as webhooks deliver it and <code>GET /api/v1/admin/events</code>{" "}
      returns it.
    </p>
    <ErrorSummary {...form} />
    <FilterBar form={form} />
    <Table
      label="Events"
      phone="lines"
      rows={rows}
      columns={[
        { title: "When", cell: ({ createdAt }) => <Clock at={createdAt} /> },
        { title: "What", phone: "first", cell: ({ type }) => inWords(type) },
        { title: "About", cell: ({ subject }) => <Reference to={subject} names={names} /> },
        { title: "Type", phone: "none", cell: ({ type }) => <code class="nowrap">{type}</code> },
        { title: "Id", numeric: true, phone: "none", cell: ({ id }) => String(id) },
        { title: "Data", phone: "first", cell: (row) => <Data row={row} /> },
      ]}
      groups={({ createdAt }) => dayGroup(createdAt)}
      none={
        <EmptyState title="No events">
          {older ? "None among the events searched so far." : "Changes to orders, products and accounts appear here."}
        </EmptyState>
      }
    />
    {older && (
      <nav class="pagination" aria-label="Pages">
        <span />
        <a class="button quiet" rel="next" href={older}>
          Older events
        </a>
      </nav>
    )}
  </>
);

/** Opens the event in the form in which webhooks deliver it. */
const Data = ({ row }: { row: EventRow }) => {
  const id = `event-${row.id}`;
  return (
    <>
      <button type="button" class="button quiet" popovertarget={id} aria-label={`Show event ${row.id}`}>
        Show
      </button>
      <dialog id={id} popover="auto" class="dialog" aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>{row.type}</h2>
        <pre id={`${id}-data`} tabindex={0}>
          {JSON.stringify(toEvent(row), null, 2)}
        </pre>
        <div class="actions">
          <button type="button" class="button quiet" data-copy={`${id}-data`} hidden>
            Copy
          </button>
          <button type="button" class="button quiet" popovertarget={id} popovertargetaction="hide">
            Close
          </button>
        </div>
      </dialog>
    </>
  );
};
