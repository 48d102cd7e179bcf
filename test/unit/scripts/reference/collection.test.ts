import { expect, it } from "vitest";
import { collection } from "../../../../scripts/reference/collection.ts";
import { groups } from "../../../../scripts/reference/document.ts";

type Sent = {
  method: string;
  url: { raw: string; variable: { key: string; value: string }[] };
  body?: { raw: string };
};
type Folder = { name: string; item: { name: string; request: Sent }[] };

const { item: folders }: { item: Folder[] } = JSON.parse(collection());
const requests = folders.flatMap(({ item }) => item.map(({ request }) => request));

it("has every operation once, with a value for each part of its path", () => {
  const routes = groups.flatMap((group) => group.routes);
  const addresses = requests.map(({ method, url }) =>
    url.variable.reduce(
      (address, { key, value }) => {
        expect(value).not.toBe("");
        return address.replace(`:${key}`, `{${key}}`);
      },
      `${method} ${url.raw.replace("{{baseUrl}}", "")}`,
    ),
  );
  expect(addresses).toEqual(routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`));
  expect(new Set(folders.map(({ name }) => name)).size).toBe(folders.length);
});

it("sends the example of the document", () => {
  const order = requests.find(({ url }) => url.raw.endsWith("/api/v1/user/orders"));
  expect(JSON.parse(order?.body?.raw ?? "{}")).toHaveProperty("items");
});
