import { type Failed, formFor } from "../forms/state.ts";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { WebhookFields } from "./form.tsx";

const LIST = "/admin/webhooks";

export const NewWebhookPage = ({ failed }: { failed: Failed | null }) => {
  const form = formFor(failed, LIST, { enabled: true });
  return (
    <>
      <PageHeader title="New webhook" back={{ path: LIST, name: "Webhooks" }} />
      <div class="card">
        <Form form={form}>
          <WebhookFields form={form} />
          <div class="actions">
            <Button>Create webhook</Button>
            <LinkButton href={LIST}>Cancel</LinkButton>
          </div>
        </Form>
      </div>
    </>
  );
};
