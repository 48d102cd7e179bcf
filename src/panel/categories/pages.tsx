import { categoryFields } from "../../catalogue/categories/fields.ts";
import type { CategoryRow } from "../../catalogue/categories/schemas.ts";
import { MAX_CATEGORY_NAME } from "../../domain/category-name.ts";
import { auditedState } from "../../platform/administration/fields.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, type FormState, formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Button } from "../kit/buttons.tsx";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { Field } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pagination } from "../kit/pagination.tsx";
import { Table } from "../kit/table.tsx";

const LIST = "/admin/categories";

type ListProps = { rows: CategoryRow[]; place: Page; url: string; failed: Failed | null };

export const CategoriesPage = ({ rows, place, url, failed }: ListProps) => (
  <>
    <PageHeader title="Categories" back={{ path: "/admin/products", name: "Products" }} />
    {rows.length === 0 ? (
      <EmptyState title="No categories yet">
        They narrow the catalogue: a product is in one of them, or in none.
      </EmptyState>
    ) : (
      <Table
        label="Categories"
        rows={rows}
        columns={[
          { title: "Name", cell: ({ id, name }) => <a href={`${LIST}/${id}`}>{name}</a> },
          { title: "Slug", cell: ({ slug }) => <code>{slug}</code> },
          {
            title: "Products",
            numeric: true,
            cell: ({ slug, productCount }) => <a href={`/admin/products?category=${slug}`}>{productCount}</a>,
          },
        ]}
      />
    )}
    <Pagination page={place} url={url} />
    <Allowed to="products:write">
      <section class="card">
        <h2>New category</h2>
        <Form form={formFor(failed, LIST)}>
          <CategoryFields form={formFor(failed, LIST)} />
          <Button>Create category</Button>
        </Form>
      </section>
    </Allowed>
  </>
);

export const CategoryPage = ({ category, failed }: { category: CategoryRow; failed: Failed | null }) => {
  const path = `${LIST}/${category.id}`;
  const form = formFor(failed, path, auditedState(categoryFields, category), etagOf(category.updatedAt));
  return (
    <>
      <PageHeader title={category.name} back={{ path: LIST, name: "Categories" }}>
        <Allowed to="products:write">
          <ConfirmButton
            form={formFor(failed, `${path}/delete`, {}, etagOf(category.updatedAt))}
            label="Delete"
            title={`Delete ${category.name}?`}
            text="One that still has products cannot be deleted: move them first."
          />
        </Allowed>
      </PageHeader>
      <div class="card">
        <Form form={form} needs="products:write">
          <CategoryFields form={form} />
          <Button>Save category</Button>
        </Form>
      </div>
    </>
  );
};

const CategoryFields = ({ form }: { form: FormState }) => (
  <div class="columns">
    <Field form={form} name="name" label="Name" required maxlength={MAX_CATEGORY_NAME} />
    <Field
      form={form}
      name="slug"
      label="Slug"
      hint="How it is named in addresses. Left empty, a new one gets it from its name and an old one keeps it."
    />
  </div>
);
