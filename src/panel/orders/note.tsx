import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Button } from "../kit/buttons.tsx";
import { Textarea } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";

/** What staff tell each other. The form is sent once, however often it is clicked. */
export const NewNote = ({ order, failed }: { order: OrderRow; failed: Failed | null }) => {
  const form = formFor(failed, `/admin/orders/${order.id}/notes`);
  return (
    <Form form={form}>
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <Textarea form={form} name="text" label="Internal note" rows={2} required hint="Customers cannot see it." />
      <Button tone="quiet">Add note</Button>
    </Form>
  );
};
