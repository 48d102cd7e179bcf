import type { WebhookRow } from "../../integrations/webhooks/endpoints.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { formatForInput } from "../kit/dates.ts";
import { Field } from "../kit/fields.tsx";
import { GraceSelect } from "../kit/grace-select.tsx";

type Props = { path: string; failed: Failed | null };

const HOUR_MS = 60 * 60_000;

export const RotateButton = ({ webhook, path, failed }: Props & { webhook: WebhookRow }) => {
  const form = formFor(failed, `${path}/rotate`, { grace_seconds: 86_400 }, etagOf(webhook.updatedAt));
  return (
    <ConfirmButton
      form={form}
      label="Rotate secret"
      title="Rotate the secret?"
      text="The new secret is shown once. Requests are signed with both secrets until the old one expires."
      action="Rotate"
      tone="primary"
    >
      <GraceSelect form={form} label="Old secret stays valid for" />
    </ConfirmButton>
  );
};

export const ReplayButton = ({ path, failed, now }: Props & { now: number }) => {
  const initial = { from: formatForInput(now - HOUR_MS), to: formatForInput(now) };
  const form = formFor(failed, `${path}/replay`, initial);
  return (
    <ConfirmButton
      form={form}
      label="Replay"
      title="Send events again?"
      text="Subscribed events of this period are sent again, after pending deliveries."
      action="Replay"
      tone="primary"
    >
      <Field form={form} name="from" label="From (UTC)" type="datetime-local" required />
      <Field form={form} name="to" label="To (UTC)" type="datetime-local" required />
    </ConfirmButton>
  );
};
