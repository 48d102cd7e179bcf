import { type Child, createContext, type PropsWithChildren, useContext } from "hono/jsx";
import type { Entry } from "../../platform/audit/audit.ts";
import type { FlashMessage } from "../flash.ts";
import type { FormState } from "../forms/inputs.ts";
import { placeAbove } from "../sections.ts";
import type { Need } from "./allowed.tsx";
import { Button, ConfirmButton, Form, LinkButton, SaveBar } from "./form.tsx";
import { PreviewButton } from "./preview.tsx";

/** The page above. */
type Back = { path: string; name: string };

/** A row in the audit log. */
type AuditedRow = Pick<Entry, "subject"> & { id: number };

const Shown = createContext<{ title: string; back: Back | undefined }>({ title: "", back: undefined });

/** Provides the title of the page, and the page above, to headings that name none. */
export const ThisPage = Shown.Provider;

type PageHeaderProps = PropsWithChildren<{
  title?: string | undefined;
  back?: Back | undefined;
  statuses?: Child;
  beside?: Child;
}>;

/**
 * A page's heading, with its statuses below it and its views `beside` it. Its children are the page's actions; `back`
 * links to its parent.
 */
export const PageHeader = ({ title, back, statuses, beside, children }: PageHeaderProps) => {
  const shown = useContext(Shown);
  const above = back ?? shown.back;
  return (
    <header class="page-header">
      <div>
        {above && (
          <a class="back" href={above.path}>
            {above.name}
          </a>
        )}
        <h1>{title ?? shown.title}</h1>
        {statuses && <div class="badges">{statuses}</div>}
      </div>
      {beside}
      {children && <div class="actions">{children}</div>}
    </header>
  );
};

type RowHeaderProps = PageHeaderProps & {
  /** Null if there is no link. */
  audit: AuditedRow | null;
  /** The button that ends the row, by default labelled "Delete". False if it has ended. */
  deletion: false | { form: FormState; needs: Need; label?: string; title: string; text: string };
};

/** The head of a row's page: a link to the audit log and the button that deletes or ends the row. The children come before them. */
export const RowHeader = ({ audit, deletion, children, ...header }: RowHeaderProps) => (
  <PageHeader {...header}>
    {children}
    {audit && <AuditLink {...audit} />}
    {deletion && <ConfirmButton label="Delete" {...deletion} />}
  </PageHeader>
);

/** A link to the changes of a row. */
export const AuditLink = ({ subject, id }: AuditedRow) => (
  <LinkButton needs="administrators" href={`/admin/audit-log?subject=${subject}&subject_id=${id}`}>
    Audit log
  </LinkButton>
);

/** Links that few visitors of a page need. */
export const MoreMenu = ({ children }: PropsWithChildren) => (
  <details class="menu">
    <summary class="button quiet">More</summary>
    <div>{children}</div>
  </details>
);

type NewPageProps = {
  title?: string;
  back?: Back;
  form: FormState;
  button: string;
  hasCards?: boolean;
  previews?: boolean;
};

/**
 * A page with the form for something new; `back` is its list, by default that at the form's address. The children are the
 * form's fields: in one card, or in cards of their own if the page `hasCards`. It `previews` what they would create.
 */
export const NewPage = ({
  title,
  back,
  form,
  button,
  hasCards = false,
  previews = false,
  children,
}: PropsWithChildren<NewPageProps>) => {
  const Buttons = hasCards ? SaveBar : Actions;
  const above = back ?? placeAbove(`${form.action}/new`);
  const fields = (
    <Form form={form}>
      {children}
      <Buttons>
        <Button>{button}</Button>
        {previews && <PreviewButton />}
        {above && <LinkButton href={above.path}>Cancel</LinkButton>}
      </Buttons>
    </Form>
  );
  return (
    <>
      <PageHeader title={title} back={above} />
      {hasCards ? fields : <div class="card">{fields}</div>}
    </>
  );
};

const Actions = ({ children }: PropsWithChildren) => <div class="actions">{children}</div>;

type ShownOnceProps = PropsWithChildren<{ warning: Child; next: string }>;

/** A page with a secret that no later page can show: the children are its fields, and `next` is the page to continue with. */
export const ShownOnce = ({ warning, next, children }: ShownOnceProps) => (
  <>
    <PageHeader back={placeAbove(next)} />
    <div class="card">
      <p class="notice warning">{warning}</p>
      {children}
      <LinkButton href={next} tone="primary">
        I have copied it
      </LinkButton>
    </div>
  </>
);

type CardProps = PropsWithChildren<{ title: Child; beside?: Child }>;

/** A part of a page, with what its heading has `beside` it. */
export const Card = ({ title, beside, children }: CardProps) => (
  <section class="card">
    {beside ? (
      <div class="section-header">
        <h2>{title}</h2>
        {beside}
      </div>
    ) : (
      <h2>{title}</h2>
    )}
    {children}
  </section>
);

type FormCardProps = { title?: string; form: FormState; needs?: Need; button: string };

/** A card with a form. The children are its fields, and `button` sends it: in a save bar if the form edits a record. */
export const FormCard = ({ title, button, children, ...rest }: PropsWithChildren<FormCardProps>) => (
  <section class="card">
    {title && <h2>{title}</h2>}
    <Form {...rest} save={rest.form.edit ? button : undefined}>
      {children}
      {!rest.form.edit && <Button>{button}</Button>}
    </Form>
  </section>
);

type FlashProps = Omit<FlashMessage, "job"> & Partial<Pick<FlashMessage, "job">> & { focused?: boolean };

/** The message of the last action. Screen readers announce it. */
export const Flash = ({ tone, text, job = null, focused = false }: FlashProps) => (
  <p class={`notice ${tone}`} role="status" tabindex={focused ? -1 : undefined} autofocus={focused}>
    {text}
    {job !== null && (
      <>
        {" "}
        <a href={`/admin/jobs/${job}`}>View job</a>
      </>
    )}
  </p>
);

type EmptyStateProps = PropsWithChildren<{ title: string; actions?: Child }>;

/** Replaces an empty list: why it is empty, and what to do. */
export const EmptyState = ({ title, actions, children }: EmptyStateProps) => (
  <div class="empty">
    <p class="title">{title}</p>
    {children && <div class="muted">{children}</div>}
    {actions && <div class="actions">{actions}</div>}
  </div>
);

/** A part of the page that is reloaded from `src` every few seconds while visible. */
export const Live = ({
  id,
  src,
  seconds,
  children,
}: PropsWithChildren<{ id: string; src: string; seconds: number }>) => (
  <div id={id} data-src={src} data-refresh={seconds}>
    {children}
  </div>
);

/** Each tag links to the rows of a list that have it. */
export const TagLinks = ({ list, tags }: { list: string; tags: readonly string[] }) =>
  tags.map((tag, at) => (
    <>
      {at > 0 && ", "}
      <a href={`${list}?${new URLSearchParams({ tag })}`}>{tag}</a>
    </>
  ));
