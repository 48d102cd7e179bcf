import type { EmailSettings } from "../settings/email.ts";
import { type Rendered, render } from "./render.tsx";
import { isTemplate, type TemplateName, templates } from "./templates/index.ts";

/** The names of all e-mails. */
export const templateNames = Object.keys(templates).filter(isTemplate);

/** An e-mail as it would be sent to a customer of that name, with a link that does not work. */
export const preview = (settings: EmailSettings, name: TemplateName): Promise<Rendered> =>
  render({ ...settings, linkBase: settings.linkBase ?? "https://shop.example" }, name, {
    name: "Ada Lovelace",
    params: templates[name].sample,
    token: "sfl_only-for-the-preview",
  });
