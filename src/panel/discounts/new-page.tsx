import type { FormState } from "../forms/state.ts";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { type Choice, DiscountFields } from "./form.tsx";

const LIST = "/admin/discounts";

export const NewDiscountPage = ({ form, categories }: { form: FormState; categories: readonly Choice[] }) => (
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
