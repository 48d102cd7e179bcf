import type { Callers } from "./callers.ts";
import type { Facts } from "./facts.ts";
import { API, asUser, bearer, cartAdditionOf, get, inTurn, orderOf, post } from "./requests.ts";
import { type Prepare, traffic } from "./traffic.ts";

export type Scenario = {
  worker: "shop" | "floor";
  floor: string;
  status: number;
  prepare: Prepare;
  connections: number;
};

/** Scenarios by name. Neighbours share a floor, so that they run under equal conditions. */
export function scenarios(callers: Callers, facts: Facts): Map<string, Scenario> {
  const {
    always,
    byKeys,
    byUsers,
    writesByUsers,
    neverTwice,
    repeated,
    forgedKeys,
    spentKeys,
    logins,
    downloads,
    licenses,
    unreadLicenses,
  } = traffic(callers);
  const { listBytes, refusalBytes, lastPage, placed, products } = facts;
  const product = inTurn(products);
  const list = `${API}/products`;
  const orders = writesByUsers((user, index) => orderOf(user, product(index)));
  return new Map([
    floor("floor-hono", { prepare: always(get(`/hono?bytes=${refusalBytes}`)) }),
    shop("forged-key", "floor-hono", { prepare: forgedKeys(list), status: 401 }),
    floor("floor-do", { prepare: byKeys((key) => get(`/do?name=${key}&bytes=${listBytes}`, bearer(key))) }),
    shop("list-warm", "floor-do", { prepare: byKeys((key) => get(list, bearer(key))) }),
    shop("product-warm", "floor-do", { prepare: byKeys((key) => get(`${list}/${product(0).id}`, bearer(key))) }),
    shop("license-warm", "floor-do", { prepare: licenses }),
    shop("refused-key", "floor-do", { prepare: spentKeys(list), status: 429 }),
    floor("floor-d1", { prepare: always(get("/d1")) }),
    floor("floor-product", { prepare: always(get(`/product?id=${product(0).id}`)) }),
    shop("product-cold", "floor-product", { prepare: neverTwice(`${list}/${product(0).id}`) }),
    floor("floor-list", { prepare: repeated(...pages(1, 1, "/list?")) }),
    shop("list-cold", "floor-list", { prepare: neverTwice(list) }),
    shop("list-filtered", "floor-list", { prepare: neverTwice(`${list}?category=paper&type=physical&in_stock=true`) }),
    floor("floor-search", { prepare: repeated(`/search?match=${encodeURIComponent('"velvet" "satch"*')}`) }),
    shop("list-search", "floor-search", { prepare: neverTwice(`${list}?search=velvet+satch`) }),
    floor("floor-category", { prepare: repeated(...pages(1, 5, "/list?category=1&")) }),
    shop("category-pages", "floor-category", { prepare: neverTwice(...pages(1, 5, `${list}?category=paper&`)) }),
    floor("floor-pages", { prepare: repeated(...pages(36, 40, "/list?")) }),
    shop("list-pages", "floor-pages", { prepare: neverTwice(...pages(36, 40, `${list}?`)) }),
    shop("list-last", "floor-list", { prepare: neverTwice(`${list}?page=${lastPage}`) }),
    shop("profile", "floor-d1", { prepare: byUsers((user) => get(`${API}/account/profile`, asUser(user))) }),
    shop("login", "floor-d1", { prepare: logins, connections: 4 }),
    shop("download", "floor-d1", { prepare: downloads, connections: 8 }),
    shop("license-cold", "floor-d1", { prepare: unreadLicenses }),
    floor("floor-batch", {
      prepare: always(post(`/batch?statements=${placed.statements.length}&rows=${placed.rowsWritten}`, {})),
      status: 201,
    }),
    shop("order", "floor-batch", { prepare: orders, status: 201 }),
    floor("floor-order", {
      prepare: writesByUsers((user, index) => ({ ...orderOf(user, product(index)), path: `/order?user=${user.id}` })),
      status: 201,
    }),
    shop("order-handling", "floor-order", { prepare: orders, status: 201 }),
    shop("cart-add", "floor-batch", {
      prepare: writesByUsers((user, at) => cartAdditionOf(user, product(at))),
      status: 201,
    }),
  ]);
}

const pages = (first: number, last: number, path: string): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `${path}page=${first + index}`);

type Facets = Pick<Scenario, "prepare"> & Partial<Scenario>;

const shop = (name: string, floor: string, facets: Facets): [string, Scenario] => [
  name,
  { worker: "shop", floor, status: 200, connections: 16, ...facets },
];

/** A floor is its own floor. */
const floor = (name: string, facets: Facets): [string, Scenario] => shop(name, name, { worker: "floor", ...facets });
