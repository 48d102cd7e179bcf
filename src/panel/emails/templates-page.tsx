import type { Rendered } from "../../email/render.tsx";
import { PageHeader } from "../kit/page-header.tsx";

type Template = Pick<Rendered, "subject" | "text"> & { name: string };

/** Every e-mail with sample data: its plain text, and a link to its HTML. */
export const TemplatesPage = ({ templates }: { templates: Template[] }) => (
  <>
    <PageHeader title="What e-mails look like" back={{ path: "/admin/emails", name: "E-mails" }} />
    {templates.map(({ name, subject, text }) => (
      <section class="card" id={name}>
        <h2>{subject}</h2>
        <p>
          <a href={`/admin/emails/templates/${name}`}>As HTML</a>
        </p>
        <pre class="wrapped">{text}</pre>
      </section>
    ))}
  </>
);
