import type { AdminTool } from "../../src/mcp/admin/tools.ts";
import type { Permission } from "../../src/platform/auth/roles.ts";
import { type Descriptions, fieldsOf, forModels, withoutDescribed, withoutListed } from "./for-models.ts";
import { type JsonSchema, type OpenApi, type Operation, operationsOf, takes } from "./shape.ts";

// The administration's operations in the OpenAPI document as tools of /mcp/admin. Operations are left out if API keys
// cannot use them, if they take or return a file, or if they handle passwords or other credentials: a model cannot use
// files and must not see credentials.

const ADMIN = "Admin: ";

/**
 * Groups without tools: parts of files, which no model can send, invoices, whose amounts are those of orders, pages, whose
 * words a lawyer chooses, license keys, which their owners read out to people, gift cards, whose codes are money, and
 * subscriptions, which buyers cancel.
 */
const LEFT_OUT = ["uploads", "invoices", "pages", "license keys", "gift cards", "subscriptions"];

/** Response properties that are credentials, and an operation whose whole response is one. */
const CREDENTIALS = ["secret", "refresh_token"];
const SHOWS_SECRET_URL = "rotateFeedUrl";

/**
 * A hundred products at once are for programs, and models create them one by one or by imports. Returns are for people who
 * have the goods in hand. Issuing an invoice cannot be undone.
 */
const LEFT_TO_OTHERS = /^upsertProducts$|^createInvoice$|Returns?$/;

/** Arguments that become headers. The API's other headers are for servers that forward shoppers, or for caches. */
const HEADERS = new Set(["Idempotency-Key", "If-Match"]);

/** For programs that follow a list, know records by their own ids or are tested. Models read pages. */
const FOR_PROGRAMS = new Set(["updated_since", "after_id", "variants", "external_id", "metadata", "test"]);

/** Verbs of operations that only add something. Any other write counts as destructive. */
const ADDS = /^(adminCreate|complete|create|invite)/;

/** Additions that change what is there: an order's lines, money and parcels, and stock. */
const CHANGES = new Set(["createOrderEdit", "createRefund", "createShipment", "createStockAdjustment"]);

/** The file of all tools, one per line. */
export function toolsFile(document: OpenApi): string {
  const described = new Map<string, Descriptions>();
  const tools = [...operationsOf(document).values()].flatMap((operation) => {
    const permission = operation.security?.flatMap(({ ApiKey = [] }) => ApiKey)[0] as Permission | undefined;
    if (permission === undefined || !isForModels(document, operation)) return [];
    const tool = toolOf(document, operation, permission);
    const known = described.get(tool.group) ?? new Map();
    described.set(tool.group, known);
    const { body } = tool.inputSchema.properties;
    if (body) {
      const short = withoutListed(withoutDescribed(body, tool.name, known), tool.name, known);
      tool.inputSchema.properties.body = short as typeof body;
    }
    return [JSON.stringify(tool)];
  });
  return `[\n${tools.join(",\n")}\n]\n`;
}

const groupOf = ({ tags: [tag = ""] }: Operation): string => (tag.startsWith(ADMIN) ? tag.slice(ADMIN.length) : "");

function isForModels(document: OpenApi, operation: Operation): boolean {
  const { operationId, requestBody, responses } = operation;
  const group = groupOf(operation);
  const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const bodies = [requestBody?.content, ...answers.map(([, { content }]) => content)].flatMap((content) =>
    Object.entries(content ?? {}),
  );
  return (
    operationId !== SHOWS_SECRET_URL &&
    !LEFT_TO_OTHERS.test(operationId) &&
    group !== "" &&
    !LEFT_OUT.includes(group) &&
    bodies.every(([type]) => type === "application/json") &&
    !CREDENTIALS.some((name) => JSON.stringify(inlined(document, bodies)).includes(`"${name}":{`))
  );
}

function toolOf(document: OpenApi, operation: Operation, permission: Permission): AdminTool {
  const { operationId, summary, description, method, path } = operation;
  // The last paragraph names the callers.
  const hints = hintsOf(operation);
  const [about] = description.split("\n\n").slice(0, -1);
  return {
    name: operationId,
    group: groupOf(operation).toLowerCase().replaceAll(" ", "-"),
    permission,
    method: method.toUpperCase(),
    path,
    description: about ?? summary,
    ...(hints && { annotations: hints }),
    inputSchema: inputSchemaOf(document, operation),
  };
}

/** Hints of reads and additions. The protocol's defaults are those of a write that may destroy something. */
function hintsOf(operation: Operation): AdminTool["annotations"] {
  const { operationId, method } = operation;
  if (method === "get" || (method === "post" && !takes(operation, "Idempotency-Key"))) return { readOnlyHint: true };
  return ADDS.test(operationId) && !CHANGES.has(operationId) ? { destructiveHint: false } : undefined;
}

/** Parameters by name, and the body as `body`. */
function inputSchemaOf(document: OpenApi, { parameters = [], requestBody }: Operation): AdminTool["inputSchema"] {
  const hasPages = parameters.some(({ name }) => name === "page");
  const taken = parameters.filter(
    ({ in: place, name }) =>
      (place === "path" || place === "query" || HEADERS.has(name)) && !(hasPages && FOR_PROGRAMS.has(name)),
  );
  const required = taken.filter((parameter) => parameter.required).map(({ name }) => name);
  const body = requestBody?.content["application/json"]?.schema;
  // A body without documented fields is left out.
  const fields = body && inlined(document, body);
  const hasBody = fields && fieldsOf(fields).length > 0;
  const needed = [...required, ...(hasBody && requestBody?.required ? ["body"] : [])];
  const properties = taken.map(({ name, schema }) => [name, argumentOf(name, inlined(document, schema))]);
  return {
    type: "object",
    // The parsed document contains only JSON.
    properties: {
      ...Object.fromEntries(properties),
      ...(hasBody && { body: forModels(fields) }),
    } as AdminTool["inputSchema"]["properties"],
    ...(needed.length > 0 && { required: needed }),
  };
}

/** A parameter. Parameters of many tools are described once, in the server's instructions. */
function argumentOf(name: string, schema: JsonSchema): JsonSchema {
  const { anyOf = [], ...outer } = schema;
  const text = anyOf.find(({ type }) => type === "string");
  const short = forModels(text ? { ...outer, ...text } : schema);
  return COMMON.has(name) && short.type ? { type: short.type } : short;
}

const COMMON = new Set([...HEADERS, "page", "per_page", "from", "to", "days"]);

/** Replaces references to schemas by the schemas, because not every client follows references. */
function inlined<Value>(document: OpenApi, value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => inlined(document, inner)) as Value;
  const ref: unknown = Reflect.get(value, "$ref");
  if (typeof ref === "string" && ref.startsWith("#/components/schemas/")) {
    const schema = inlined(document, document.components.schemas[ref.split("/").at(-1) ?? ""]);
    return { ...schema, ...value, $ref: undefined };
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inlined(document, inner)])) as Value;
}
