import { expect, it } from "vitest";
import { document } from "../../../../scripts/openapi/published.ts";
import { operationsOf } from "../../../../scripts/openapi/shape.ts";

const operations = [...operationsOf(document).values()];

/** Verbs of ids, by the method of their route. An id is a verb and a resource, such as `listOrders`. */
const verbs: Record<string, RegExp> = {
  get: /^(adminDownload|adminList|list|adminGet|get|download|export|follow|search)/,
  post: /^(activate|add|adminCreate|apply|bulkUpdate|cancel|check|complete|confirm|create|credit|deactivate|disable|enable|forgot|get|invite|logIn|logOut|reauthenticate|receive|redeem|refresh|regenerate|replay|resend|reset|restore|retry|revert|rotate|send|settle|signUp|start|test|undo|upload|upsert|validate|verify)/,
  put: /^(update|upload)/,
  delete: /^(cancel|clear|delete|disable|remove|revoke)/,
};

const isPlural = (id: string) => /(s|Log|Staff)$/.test(id);

it("names every operation by a verb and a resource", () => {
  expect(operations.length).toBeGreaterThan(200);
  expect(operations.filter(({ operationId, method }) => !verbs[method]?.test(operationId))).toEqual([]);
});

it("lists what is plural", () => {
  const lists = operations.filter(({ operationId }) => /^(adminList|list)/.test(operationId));
  expect(lists.map(({ operationId }) => operationId).filter((id) => !isPlural(id))).toEqual([]);
});

it("marks the administration's operation only where shoppers have one of the same name", () => {
  const ids = new Set(operations.map(({ operationId }) => operationId));
  const marked = [...ids].filter((id) => id.startsWith("admin"));
  const twins = (id: string) => {
    const [, verb = "", resource = ""] = /^admin([A-Z][a-z]+)(.+)$/.exec(id) ?? [];
    return [`${verb.toLowerCase()}${resource}`, `${verb.toLowerCase()}My${resource}`];
  };
  expect(marked.length).toBeGreaterThan(5);
  expect(marked.filter((id) => !twins(id).some((twin) => ids.has(twin)))).toEqual([]);
});

/** Bodies that are a part of a record, or that two operations share. */
const parts = ["DraftContent", "EditContent", "PaypalKeys", "StripeKeys"];

it("names the body of a request to create or update after what it does", () => {
  const named = (suffix: RegExp, method: RegExp) =>
    operations.flatMap(({ operationId, requestBody }) => {
      const [body] = Object.values(requestBody?.content ?? {});
      const [, name] = /^\{"\$ref":".*\/(\w+)"\}$/.exec(JSON.stringify(body?.schema ?? null)) ?? [];
      return name !== undefined && method.test(operationId) && !suffix.test(name) ? [name] : [];
    });
  const wrong = [...named(/(Create|Request)$/, /^(create|adminCreate)/), ...named(/Update$/, /^(update|bulkUpdate)/)];
  expect([...new Set(wrong)].sort()).toEqual(parts);
});

it("gives no schema the name of an operation, as generators write both into one namespace", () => {
  const ids = new Set(operations.map(({ operationId }) => operationId.toLowerCase()));
  expect(Object.keys(document.components.schemas).filter((name) => ids.has(name.toLowerCase()))).toEqual([]);
});
