import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";

const pages = {
  overview: "/admin",
  "api-key-new": "/admin/api-keys/new",
  products: "/admin/products",
  "products-none": "/admin/products?search=nothing-is-called-so",
  categories: "/admin/categories",
  category: "/admin/categories/1",
  customers: "/admin/customers",
  customer: "/admin/customers/1",
  packages: "/admin/packages",
  "package-new": "/admin/packages/new",
  package: "/admin/packages/1",
};

it.for(Object.entries(pages))("has nothing wrong with the page %s", async ([name, path], { aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto(path);
  await look(page, name);
});
