import * as z from "zod";
import { notificationModes } from "../../platform/db/schema.ts";
import type { NotificationKind, NotificationMode } from "../../platform/email/staff-notifications.ts";
import { kindsOf } from "../forms/conversion.ts";
import { type Failed, type FormInput, type FormInputs, formFor } from "../forms/inputs.ts";
import { Columns } from "../kit/fields.tsx";
import { Button, Form } from "../kit/form.tsx";
import { Card } from "../kit/page-parts.tsx";
import { ACCOUNT } from "../sections.ts";

const modeLabels: Record<NotificationMode, string> = {
  never: "Never",
  each: "For each",
  daily: "Once a day, together",
};

const choice = (label: string, modes: readonly NotificationMode[] = notificationModes) =>
  ({ as: "choice", label, options: modes.map((mode) => [mode, modeLabels[mode]] as const) }) satisfies FormInput;

/** Low stock is only reported once a day. */
const lowStockModes = ["never", "daily"] as const;

const inputs = {
  new_order: choice("New orders"),
  return_requested: choice("Requested returns"),
  payment_failed: choice("Failed payments"),
  low_stock: choice("Low stock", lowStockModes),
} satisfies FormInputs<NotificationKind>;

/** Converters of the inputs that the form offers. */
export const notificationInputKinds = (offered: readonly NotificationKind[]) =>
  Object.fromEntries(Object.entries(kindsOf(inputs)).filter(([name]) => offered.some((kind) => kind === name)));

const Mode = z.enum(notificationModes);
export const NotificationsForm = z
  .strictObject({ new_order: Mode, return_requested: Mode, payment_failed: Mode, low_stock: z.enum(lowStockModes) })
  .partial();

type NotificationsProps = {
  choices: Record<NotificationKind, NotificationMode>;
  offered: NotificationKind[];
  failed: Failed | null;
};

/** Choices of what the signed-in user is e-mailed. */
export const Notifications = ({ choices, offered, failed }: NotificationsProps) => {
  const form = formFor(failed, `${ACCOUNT}/notifications`, { inputs, values: choices });
  return (
    <Card title="E-mails to you">
      <Form form={form}>
        <Columns form={form} names={offered} />
        <Button tone="quiet">Save e-mails</Button>
      </Form>
    </Card>
  );
};
