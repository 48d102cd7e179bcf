import { Button, LinkButton } from "../kit/buttons.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { type Choice, DiscountFields, type DiscountForm } from "./form.tsx";

const LIST = "/admin/discounts";

export const NewDiscountPage = ({ form, categories }: { form: DiscountForm; categories: readonly Choice[] }) => (
  <>
    <PageHeader title="New discount" back={{ path: LIST, name: "Discounts" }} />
    <div class="card">
      <Form form={form}>
        <DiscountFields form={form} categories={categories} />
        <div class="actions">
          <Button>Create discount</Button>
          <LinkButton href={LIST}>Cancel</LinkButton>
        </div>
      </Form>
    </div>
  </>
);
