import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { additionsSince, unconverted } from "../../../../scripts/openapi/additions.ts";
import { incompatibleChanges } from "../../../../scripts/openapi/compatibility.ts";
import type { OpenApi } from "../../../../scripts/openapi/shape.ts";

const read = (): OpenApi => JSON.parse(readFileSync("public/openapi.json", "utf8"));
const DISCOUNTS = "/api/v1/admin/discounts";

/** Today's document, and one that has more. */
function grown(): [today: OpenApi, tomorrow: OpenApi] {
  const [today, tomorrow] = [read(), read()];
  const { Discount, DiscountCreate } = tomorrow.components.schemas;
  for (const schema of [Discount, DiscountCreate])
    Object.assign(schema?.properties ?? {}, { color: { type: "string" } });
  const list = tomorrow.paths[DISCOUNTS]?.get;
  if (!list) throw new Error("There is no list of discounts");
  tomorrow.paths["/api/v1/user/colors"] = { get: { ...list, operationId: "listColors" } };
  const color = { in: "query", name: "color", schema: { type: "string" } };
  list.parameters = [...(list.parameters ?? []), color];
  const [event] = Object.values(tomorrow.webhooks);
  if (event) tomorrow.webhooks["color.created"] = event;
  return [today, tomorrow];
}

it("lists new operations, events, parameters and fields, each with the operations that have it", () => {
  expect(additionsSince(...grown())).toEqual(
    expect.arrayContaining([
      { kind: "operation", name: "GET /api/v1/user/colors", places: ["GET /api/v1/user/colors"] },
      { kind: "event", name: "color.created", places: ["event color.created"] },
      { kind: "input", name: "color", places: [`GET ${DISCOUNTS}`, `POST ${DISCOUNTS}`] },
      {
        kind: "output",
        name: "color",
        places: [`GET ${DISCOUNTS}`, `POST ${DISCOUNTS}`, `GET ${DISCOUNTS}/{id}`, `PUT ${DISCOUNTS}/{id}`],
      },
    ]),
  );
  expect(additionsSince(read(), read())).toEqual([]);
});

it("leaves out incompatible changes that a version converts, and no others", () => {
  const [older, newer] = grown().toReversed() as [OpenApi, OpenApi];
  const changes = incompatibleChanges(older, newer);
  expect(unconverted(changes, older, { first: "2026-11-29", changes: [] })).toEqual(changes);
  const operations = { createDiscount: {}, listDiscounts: {} };
  const left = unconverted(changes, older, { first: "2026-11-29", changes: [{ version: "2027-06-01", operations }] });
  expect(left.length).toBeGreaterThan(0);
  expect(left.filter((line) => line.startsWith(`POST ${DISCOUNTS}: `))).toEqual([]);
  expect(left).toContain(`PUT ${DISCOUNTS}/{id}: response.data.color is gone`);
});
