import type * as z from "zod";
import { type Language, languageNames, languages } from "../../domain/language.ts";
import type { RenderedEmail } from "../../platform/email/render.tsx";
import { isSwitchable } from "../../platform/email/switches.ts";
import type { EmailText } from "../../platform/email/texts.ts";
import { type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import { optional, orNull } from "../forms/kinds.ts";
import { Fields } from "../kit/fields.tsx";
import { Button, Form } from "../kit/form.tsx";
import { Card, PageHeader } from "../kit/page-parts.tsx";
import { Badge } from "../kit/values.tsx";
import { Switch, TEMPLATES_PATH } from "./pages.tsx";

/** Ways to view an e-mail. */
export const views = ["desktop", "phone", "text"] as const;
type View = (typeof views)[number];

const labels: Record<View, string> = { desktop: "Desktop", phone: "Phone", text: "Plain text" };

export const textInputs = {
  subject: { as: "text", label: "Subject", maxlength: 200, read: orNull(optional) },
  introduction: { as: "lines", label: "Introduction", rows: 5, maxlength: 2_000, read: orNull(optional) },
} satisfies FormInputs;

/** The shown e-mail: its language, and the number of an order instead of the sample. */
export type ShownTemplate = { name: string; language: Language; order: string; view: View };

const addressOf = ({ name, language, order, view }: ShownTemplate, page = ""): string =>
  `${TEMPLATES_PATH}/${name}${page}?${new URLSearchParams({ language, view, ...(order && { order }) })}`;

type Props = {
  shown: ShownTemplate;
  rendered: RenderedEmail;
  isOff: boolean;
  /** Texts of an e-mail to buyers. Null for one to staff. */
  texts: z.output<typeof EmailText> | null;
  isAboutOrder: boolean;
  failed: Failed | null;
};

/** One e-mail as it looks on a desktop, on a phone, or as plain text, with its texts to edit. */
export const TemplatePage = ({ shown, rendered, isOff, texts, isAboutOrder, failed }: Props) => (
  <>
    <PageHeader>{isSwitchable(shown.name) && <Switch name={shown.name} isOff={isOff} />}</PageHeader>
    {texts && (
      <nav aria-label="Language" class="tabs">
        {languages.map((language) => (
          <a href={addressOf({ ...shown, language })} aria-current={language === shown.language ? "page" : undefined}>
            {languageNames[language]}
          </a>
        ))}
      </nav>
    )}
    <div class="editor">
      <div>
        <nav aria-label="View" class="tabs">
          {views.map((view) => (
            <a href={addressOf({ ...shown, view })} aria-current={view === shown.view ? "page" : undefined}>
              {labels[view]}
            </a>
          ))}
          {isOff && <Badge status="switched off" />}
        </nav>
        <Preview shown={shown} {...rendered} />
      </div>
      <div>
        {texts && <Texts shown={shown} texts={texts} failed={failed} />}
        <Card title="Try it">
          {isAboutOrder && <OrderChoice {...shown} />}
          <Form form={formFor(failed, `${TEMPLATES_PATH}/${shown.name}/test`)}>
            <input type="hidden" name="language" value={shown.language} />
            <input type="hidden" name="order" value={shown.order} />
            <Button tone="quiet">Send a test to me</Button>
          </Form>
        </Card>
      </div>
    </div>
  </>
);

const Preview = ({ shown, subject, text }: Pick<Props, "shown"> & RenderedEmail) =>
  shown.view === "text" ? (
    <div class="card">
      <pre class="wrapped">{text}</pre>
    </div>
  ) : (
    <div class={`device ${shown.view}`}>
      <iframe title={`${subject}, ${labels[shown.view]}`} src={addressOf(shown, "/html")} sandbox="allow-same-origin" />
    </div>
  );

type TextsProps = Pick<Props, "shown" | "failed"> & { texts: z.output<typeof EmailText> };

/** The form of an e-mail's subject and introduction. The default texts are filled in. */
const Texts = ({ shown: { name, language }, texts, failed }: TextsProps) => {
  const path = `${TEMPLATES_PATH}/${name}/texts/${language}`;
  const { subject, introduction, default_subject, default_introduction, variables } = texts;
  const values = { subject: subject ?? default_subject, introduction: introduction ?? default_introduction };
  const form = formFor(failed, path, { inputs: textInputs, values });
  return (
    <section class="card">
      <h2>Text in {languageNames[language]}</h2>
      <Form form={form}>
        <Fields form={form} names={["subject", "introduction"]} />
        <p class="hint">You can use {variables.map((variable) => `{${variable}}`).join(", ")}.</p>
        <Button>Save text</Button>
      </Form>
      {(subject ?? introduction) !== null && (
        <Form form={formFor(null, `${path}/default`)}>
          <Button tone="quiet">Back to the default</Button>
        </Form>
      )}
    </section>
  );
};

/** Shows the e-mail with an order of the shop. */
const OrderChoice = ({ name, language, view, order }: ShownTemplate) => (
  <form class="form" action={`${TEMPLATES_PATH}/${name}`}>
    <input type="hidden" name="language" value={language} />
    <input type="hidden" name="view" value={view} />
    <label class="field">
      Order number
      <input name="order" value={order} placeholder="Sample order" />
    </label>
    <Button tone="quiet">Show with this order</Button>
  </form>
);
