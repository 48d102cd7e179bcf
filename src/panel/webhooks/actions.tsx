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
      title="Rotate its secret?"
      text="The new secret is shown once. Until the receiver knows it, requests are signed with both."
      action="Rotate"
      tone="primary"
    >
      <GraceSelect form={form} label="The old secret signs too" />
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
      text="The events of this time that it is subscribed to are sent once more, behind those that are pending."
      action="Replay"
      tone="primary"
    >
      <Field form={form} name="from" label="From (UTC)" type="datetime-local" required />
      <Field form={form} name="to" label="To (UTC)" type="datetime-local" required />
    </ConfirmButton>
  );
};
