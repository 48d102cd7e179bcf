import * as z from "zod";
import { newsModes } from "../../platform/db/schema.ts";
import type { NewsKind, NewsMode } from "../../platform/email/staff-news.ts";
import { kindsOf } from "../forms/conversion.ts";
import { type Failed, type FormInput, type FormInputs, formFor } from "../forms/inputs.ts";
import { Columns } from "../kit/fields.tsx";
import { Button, Form } from "../kit/form.tsx";
import { ACCOUNT } from "../sections.ts";

const modeLabels: Record<NewsMode, string> = { never: "Never", each: "For each", daily: "Once a day, together" };

const choice = (label: string, modes: readonly NewsMode[] = newsModes) =>
  ({ as: "choice", label, options: modes.map((mode) => [mode, modeLabels[mode]] as const) }) satisfies FormInput;

/** Low stock is only told once a day. */
const lowStockModes = ["never", "daily"] as const;

const inputs = {
  new_order: choice("New orders"),
  return_requested: choice("Requested returns"),
  payment_failed: choice("Failed payments"),
  low_stock: choice("Low stock", lowStockModes),
} satisfies FormInputs<NewsKind>;

/** Converters of the kinds of news that the form offers. */
export const newsInputKinds = (offered: readonly NewsKind[]) =>
  Object.fromEntries(Object.entries(kindsOf(inputs)).filter(([name]) => offered.some((kind) => kind === name)));

const Mode = z.enum(newsModes);
export const NewsForm = z
  .strictObject({ new_order: Mode, return_requested: Mode, payment_failed: Mode, low_stock: z.enum(lowStockModes) })
  .partial();

type NewsProps = { choices: Record<NewsKind, NewsMode>; offered: NewsKind[]; failed: Failed | null };

/** Choices of what the signed-in user is e-mailed. */
export const News = ({ choices, offered, failed }: NewsProps) => {
  const form = formFor(failed, `${ACCOUNT}/news`, { inputs, values: choices });
  return (
    <section class="card">
      <h2>E-mails to you</h2>
      <Form form={form}>
        <Columns form={form} names={offered} />
        <Button>Save e-mails</Button>
      </Form>
    </section>
  );
};
