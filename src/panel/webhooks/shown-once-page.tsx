import type { WebhookWithSecret } from "../../integrations/webhooks/admin-schemas.ts";
import { LinkButton } from "../kit/buttons.tsx";
import { CopyField } from "../kit/copy-field.tsx";
import { PageHeader } from "../kit/page-header.tsx";

/** A webhook's secret, which no later page can show. */
export const SecretPage = ({ title, webhook }: { title: string; webhook: WebhookWithSecret }) => (
  <>
    <PageHeader title={title} back={{ path: "/admin/webhooks", name: "Webhooks" }} />
    <div class="card">
      <p class="notice warning">
        Copy the secret of <strong>{webhook.url}</strong> now and keep it in a secret store. It is shown only once. The
        receiver uses it to verify that requests come from this shop.
      </p>
      <CopyField id="webhook-secret" label="Secret" value={webhook.secret} />
      <LinkButton href={`/admin/webhooks/${webhook.id}`} tone="primary">
        I have copied it
      </LinkButton>
    </div>
  </>
);
