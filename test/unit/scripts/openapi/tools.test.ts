import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fieldsOf } from "../../../../scripts/openapi/for-models.ts";
import { type JsonSchema, type OpenApi, operationsOf } from "../../../../scripts/openapi/shape.ts";

type Tool = {
  name: string;
  group: string;
  description: string;
  inputSchema: { properties: { body?: JsonSchema } };
  annotations?: object;
};

const document: OpenApi = JSON.parse(readFileSync("public/openapi.json", "utf8"));
const tools: Tool[] = JSON.parse(readFileSync("public/mcp-tools.json", "utf8"));
const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** A schema with the components that it refers to. */
function resolved(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_name, value) => {
    const name = value?.$ref?.split("/").at(-1);
    return name === undefined ? value : resolved(document.components.schemas[name] ?? {});
  });
}

/** A schema in which a field that is described by another one has the other one's fields. */
function expanded(schema: JsonSchema): JsonSchema {
  const { properties = {} } = schema;
  const fields = Object.entries(properties).map(([name, field]) => {
    const [, other] = /Fields as in `(\w+)`/.exec(field.description ?? "") ?? [];
    return [name, (other !== undefined && properties[other]) || field];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** Names of other tools whose descriptions of fields a body refers to. */
const toolsNamedBy = ({ description = "" }: JsonSchema): string[] =>
  /Fields are described in (.*)/.exec(description)?.[1]?.match(/\w+[A-Z]\w+/g) ?? [];

/** Fields of a tool's body, including those that it refers to. */
const describedFields = (body: JsonSchema): string[] => [
  ...fieldsOf(expanded(body)),
  ...toolsNamedBy(body).flatMap((name) => describedFields(byName.get(name)?.inputSchema.properties.body ?? {})),
];

it("keeps every field of every body", () => {
  const lost = [...operationsOf(document).values()].flatMap(({ operationId, requestBody }) => {
    const tool = byName.get(operationId);
    const schema = requestBody?.content["application/json"]?.schema as JsonSchema | undefined;
    if (!tool || !schema) return [];
    const described = new Set(describedFields(tool.inputSchema.properties.body ?? {}));
    return fieldsOf(resolved(schema)).flatMap((field) => (described.has(field) ? [] : [`${operationId}: ${field}`]));
  });
  expect(lost).toEqual([]);
});

it("describes a field by another one without words of its own", () => {
  const shipping = byName.get("updateOrder")?.inputSchema.properties.body?.properties;
  expect(shipping?.billing_address?.description).toBe("Fields as in `shipping_address`");
});

it("refers for descriptions only to tools that are listed together with the tool", () => {
  for (const { name, group, inputSchema } of tools) {
    for (const other of toolsNamedBy(inputSchema.properties.body ?? {}))
      expect([name, byName.get(other)?.group]).toEqual([name, group]);
  }
});

it("names only tools that exist in descriptions", () => {
  const named = tools.flatMap(
    ({ description }) => description.match(/`(admin|create|get|list|send|complete|invite|undo)[A-Z]\w+`/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !byName.has(name.slice(1, -1)))).toEqual([]);
});

it("says of refunds that an empty body refunds everything", () => {
  expect(byName.get("createRefund")?.description).toContain("An empty body refunds everything that remains");
});

/** Tokens of tools as tools/list sends them. A token is 4.15 characters or more: OpenAI's o200k_base has 4.3 for this list. */
const tokensOf = (listed: readonly Tool[]): number =>
  Math.ceil(
    JSON.stringify(
      listed.map(({ name, description, inputSchema, annotations }) => ({
        name,
        description,
        inputSchema,
        annotations,
      })),
    ).length / 4.15,
  );

it("fits all tools into 20,000 tokens and a group into 4,000", () => {
  expect(tokensOf(tools)).toBeLessThanOrEqual(20_000);
  for (const group of new Set(tools.map((tool) => tool.group))) {
    expect(tokensOf(tools.filter((tool) => tool.group === group)), group).toBeLessThanOrEqual(4000);
  }
});
