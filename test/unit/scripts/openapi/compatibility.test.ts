import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { incompatibleChanges } from "../../../../scripts/openapi/compatibility.ts";
import type { JsonSchema, OpenApi } from "../../../../scripts/openapi/shape.ts";

const read = (): OpenApi => JSON.parse(readFileSync("public/openapi.json", "utf8"));

const DISCOUNTS = "/api/v1/admin/discounts";

/** The changes from today's document to one that differs from it. */
function changesBy(change: (document: OpenApi) => void, direction: "to" | "from" = "to"): string[] {
  const [today, changed] = [read(), read()];
  change(changed);
  return direction === "to" ? incompatibleChanges(today, changed) : incompatibleChanges(changed, today);
}

const fieldsOf = (document: OpenApi, schema: string): Record<string, JsonSchema> =>
  document.components.schemas[schema]?.properties ?? {};

const operationOf = (document: OpenApi, path: string, method: string) => {
  const operation = document.paths[path]?.[method];
  if (!operation) throw new Error(`There is no ${method} ${path}`);
  return operation;
};

describe("a document", () => {
  it("is compatible with itself and with additions", () => {
    expect(changesBy(() => undefined)).toEqual([]);
    const add = (document: OpenApi) => {
      fieldsOf(document, "Discount").color = { type: "string" };
      fieldsOf(document, "DiscountCreate").color = { type: "string" };
      document.paths["/api/v1/user/colors"] = {
        get: { ...operationOf(document, DISCOUNTS, "get"), operationId: "listColors" },
      };
    };
    expect(changesBy(add)).toEqual([]);
    expect(changesBy(add, "from").toSorted()).toEqual(
      [
        "GET /api/v1/user/colors is gone",
        "POST /api/v1/admin/discounts: body.color is gone",
        "GET /api/v1/admin/discounts: response.data[].color is gone",
        "GET /api/v1/admin/discounts/{id}: response.data.color is gone",
        "POST /api/v1/admin/discounts: response.data.color is gone",
        "PUT /api/v1/admin/discounts/{id}: response.data.color is gone",
      ].toSorted(),
    );
  });

  it.each<[string, string, (document: OpenApi) => void]>([
    [
      "a parameter that is gone",
      "GET /api/v1/admin/discounts: query kind is no longer accepted",
      (document) => {
        const operation = operationOf(document, DISCOUNTS, "get");
        operation.parameters = operation.parameters?.filter(({ name }) => name !== "kind") ?? [];
      },
    ],
    [
      "a field that requests need now",
      "POST /api/v1/admin/discounts: body.code is required now",
      (document) => document.components.schemas.DiscountCreate?.required?.push("code"),
    ],
    [
      "a type",
      "GET /api/v1/admin/discounts/{id}: response.data.uses was integer and is string",
      (document) => Object.assign(fieldsOf(document, "Discount"), { uses: { type: "string" } }),
    ],
    [
      "a field that may be null",
      "GET /api/v1/admin/discounts/{id}: response.data.uses may be null now",
      (document) => Object.assign(fieldsOf(document, "Discount"), { uses: { type: ["integer", "null"] } }),
    ],
    [
      "a field that may be missing",
      "GET /api/v1/admin/discounts/{id}: response.data.uses may be missing now",
      (document) => {
        const discount = document.components.schemas.Discount;
        if (discount) discount.required = discount.required?.filter((name) => name !== "uses") ?? [];
      },
    ],
    [
      "a value that is no longer accepted",
      "POST /api/v1/admin/discounts: body.kind no longer accepts percentage",
      (document) => {
        const kind = fieldsOf(document, "DiscountCreate").kind;
        if (kind) kind.enum = kind.enum?.filter((value) => value !== "percentage") ?? [];
      },
    ],
    [
      "a limit",
      "POST /api/v1/admin/discounts: body.name has the maxLength 3",
      (document) => {
        const name = fieldsOf(document, "DiscountCreate").name;
        for (const each of [name, ...(name?.anyOf ?? [])])
          if (each?.type === "string") Object.assign(each, { maxLength: 3 });
      },
    ],
    [
      "an event type that is gone",
      "event order.paid is gone",
      (document) => Reflect.deleteProperty(document.webhooks, "order.paid"),
    ],
  ])("is not compatible after %s", (_, line, change) => {
    expect(changesBy(change)).toContain(line);
  });
});
