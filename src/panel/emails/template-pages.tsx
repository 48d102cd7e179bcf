import type { Rendered } from "../../platform/email/render.tsx";
import { isSwitchable, orderEmails } from "../../platform/email/switches.ts";
import { formFor } from "../forms/state.ts";
import { Button } from "../kit/buttons.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { Badge } from "../kit/values.tsx";
import { templateLabel } from "./words.ts";

const LIST = "/admin/emails/templates";

type Template = Pick<Rendered, "subject" | "text"> & { name: string };

/** Templates by whom they are for. */
const audiences: { title: string; has: (name: string) => boolean }[] = [
  { title: "To customers, about orders", has: (name) => Object.hasOwn(orderEmails, name) },
  { title: "To staff", has: (name) => isSwitchable(name) && !Object.hasOwn(orderEmails, name) },
  { title: "About accounts", has: (name) => !isSwitchable(name) },
];

/** All e-mails as cards, each with how it begins. */
export const TemplatesPage = ({ templates, off }: { templates: Template[]; off: string[] }) => (
  <>
    <PageHeader title="E-mail templates" back={{ path: "/admin/emails", name: "E-mails" }} />
    <p>E-mails about orders and to staff can be switched off. Those that protect an account are always sent.</p>
    {audiences.map(({ title, has }) => (
      <section>
        <h2>{title}</h2>
        <ul class="previews">
          {templates
            .filter(({ name }) => has(name))
            .map((template) => (
              <Card {...template} isOff={off.includes(template.name)} />
            ))}
        </ul>
      </section>
    ))}
  </>
);

const Card = ({ name, subject, text, isOff }: Template & { isOff: boolean }) => (
  <li class="card" id={name}>
    <p class="muted">
      {templateLabel(name)} {isOff && <Badge status="switched off" />}
    </p>
    <h3>
      <a href={`${LIST}/${name}`}>{subject}</a>
    </h3>
    <p class="beginning muted">{bodyOf(text)}</p>
    {isSwitchable(name) && <Switch name={name} isOff={isOff} />}
  </li>
);

/** The text after its salutation. */
const bodyOf = (text: string): string => text.split("\n\n").slice(1).join(" ");

const Switch = ({ name, isOff }: { name: string; isOff: boolean }) => (
  <Form form={formFor(null, `${LIST}/${name}/${isOff ? "on" : "off"}`)}>
    <Button tone="quiet">{isOff ? "Switch on" : "Switch off"}</Button>
  </Form>
);

/** How an e-mail is looked at. */
export const views = ["desktop", "phone", "text"] as const;
type View = (typeof views)[number];

const labels: Record<View, string> = { desktop: "Desktop", phone: "Phone", text: "Plain text" };

type TemplatePageProps = { template: Template; isOff: boolean; view: View };

/** One e-mail, as it looks on a desktop, on a phone, or as plain text. */
export const TemplatePage = ({ template: { name, subject, text }, isOff, view }: TemplatePageProps) => (
  <>
    <PageHeader title={subject} back={{ path: LIST, name: "E-mail templates" }}>
      {isSwitchable(name) && <Switch name={name} isOff={isOff} />}
    </PageHeader>
    <nav aria-label="View" class="tabs">
      {views.map((each) => (
        <a href={`${LIST}/${name}?view=${each}`} aria-current={each === view ? "page" : undefined}>
          {labels[each]}
        </a>
      ))}
      {isOff && <Badge status="switched off" />}
    </nav>
    {view === "text" ? (
      <div class="card">
        <pre class="wrapped">{text}</pre>
      </div>
    ) : (
      <div class={`device ${view}`}>
        <iframe title={`${subject}, ${labels[view]}`} src={`${LIST}/${name}/html`} sandbox="allow-same-origin" />
      </div>
    )}
  </>
);
