import { isSwitchable } from "../../platform/email/causes.ts";
import type { Rendered } from "../../platform/email/render.tsx";
import { formFor } from "../forms/state.ts";
import { Badge } from "../kit/badge.tsx";
import { Button } from "../kit/buttons.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { label } from "./label.ts";

type Template = Pick<Rendered, "subject" | "text"> & { name: string };

/** Every e-mail with sample data, its plain text and a link to its HTML; and whether it is sent, for what can be switched off. */
export const TemplatesPage = ({ templates, off }: { templates: Template[]; off: string[] }) => (
  <>
    <PageHeader title="E-mail templates" back={{ path: "/admin/emails", name: "E-mails" }} />
    <p>E-mails about orders and to staff can be switched off. Those that protect an account are always sent.</p>
    {templates.map(({ name, subject, text }) => (
      <section class="card" id={name}>
        <h2>{subject}</h2>
        <p>
          {label(name)} {off.includes(name) && <Badge status="switched off" tone="bad" />} ·{" "}
          <a href={`/admin/emails/templates/${name}`}>As HTML</a>
        </p>
        <pre class="wrapped">{text}</pre>
        {isSwitchable(name) && <Switch name={name} isOff={off.includes(name)} />}
      </section>
    ))}
  </>
);

const Switch = ({ name, isOff }: { name: string; isOff: boolean }) => (
  <Form form={formFor(null, `/admin/emails/templates/${name}/${isOff ? "on" : "off"}`)}>
    <Button tone="quiet">{isOff ? "Switch on" : "Switch off"}</Button>
  </Form>
);
