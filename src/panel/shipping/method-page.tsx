import type { MethodRow } from "../../checkout/shipping/methods/fields.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { MethodFields, methodValues } from "./method-form.tsx";

export const MethodPage = ({ method, failed }: { method: MethodRow; failed: Failed | null }) => {
  const path = `/admin/shipping-methods/${method.id}`;
  const etag = etagOf(method.updatedAt);
  const form = formFor(failed, path, methodValues(method), etag);
  return (
    <>
      <PageHeader title={method.name} back={{ path: `/admin/shipping-zones/${method.zoneId}`, name: "Shipping zone" }}>
        <Allowed to="administrators">
          <LinkButton href={`/admin/audit-log?subject=shipping_method&subject_id=${method.id}`}>Audit log</LinkButton>
        </Allowed>
        <Allowed to="settings:write">
          <ConfirmButton
            form={formFor(failed, `${path}/delete`, {}, etag)}
            label="Delete"
            title={`Delete ${method.name}?`}
            text="Buyers cannot choose it any more. Orders that chose it keep it."
          />
        </Allowed>
      </PageHeader>
      <div class="card">
        <Form form={form} needs="settings:write">
          <MethodFields form={form} />
          <Button>Save method</Button>
        </Form>
      </div>
    </>
  );
};
