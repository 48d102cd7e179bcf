import type { WebhookRow } from "../../integrations/webhooks/endpoints.ts";
import type { PauseReason } from "../../platform/db/schema.ts";
import { Badge } from "../kit/badge.tsx";

const reasons: Record<PauseReason, string> = {
  failing: "paused: nothing arrived for five days",
  gone: "disabled: the endpoint responded 410 Gone",
};

/** Whether a webhook gets events, and if not, why. */
export const WebhookStatus = ({ webhook: { enabled, pauseReason } }: { webhook: WebhookRow }) => (
  <>
    <Badge status={enabled ? "active" : "disabled"} />
    {pauseReason && <div class="muted">{reasons[pauseReason]}</div>}
  </>
);
