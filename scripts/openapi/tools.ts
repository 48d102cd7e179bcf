import type { AdminTool } from "../../src/mcp/admin/tools.ts";
import type { Permission } from "../../src/platform/auth/roles.ts";
import { type JsonSchema, type OpenApi, type Operation, operationsOf } from "./shape.ts";

// The operations of the OpenAPI document as tools of /mcp/admin. Operations are left out if API keys cannot use them,
// if they take or return a file, or if they handle passwords or other credentials: a model cannot use files and must
// not see credentials.

const ADMIN = "Admin: ";

/** Groups of operations that no model can complete: passwords and tokens, and parts of files. */
const LEFT_OUT = new Set(["Sessions", "Admin: uploads"]);

/** Response properties that are credentials, and an operation whose whole response is one. */
const CREDENTIALS = ["secret", "refresh_token"];
const SHOWS_SECRET_URL = "rotateFeedUrl";

/** Arguments that become headers. The API's other headers are for servers that forward shoppers, or for caches. */
const HEADERS = new Set(["Idempotency-Key", "If-Match", "X-Cart-Token"]);

/** Verbs of operations that only add something. Any other write counts as destructive. */
const ADDS = /^(add|adminCreate|complete|create|invite)/;

/** Additions that change what is there: an order's lines, money and parcels, and stock. */
const CHANGES = new Set(["createOrderEdit", "createRefund", "createShipment", "createStockAdjustment"]);

/** The file of all tools, one per line. */
export function toolsFile(document: OpenApi): string {
  const tools = [...operationsOf(document).values()].flatMap((operation) => {
    const permission = operation.security?.flatMap(({ ApiKey = [] }) => ApiKey)[0] as Permission | undefined;
    if (permission === undefined || !isForModels(document, operation)) return [];
    return [JSON.stringify(toolOf(document, operation, permission))];
  });
  return `[\n${tools.join(",\n")}\n]\n`;
}

function isForModels(document: OpenApi, { operationId, tags, requestBody, responses }: Operation): boolean {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const bodies = [requestBody ?? {}, ...answers.map(([, answer]) => answer)].flatMap(({ content = {} }) =>
    Object.entries(content),
  );
  return (
    operationId !== SHOWS_SECRET_URL &&
    !tags.some((tag) => LEFT_OUT.has(tag)) &&
    bodies.every(([type]) => type === "application/json") &&
    !CREDENTIALS.some((name) => JSON.stringify(inlined(document, bodies)).includes(`"${name}":{`))
  );
}

function toolOf(document: OpenApi, operation: Operation, permission: Permission): AdminTool {
  const {
    operationId,
    summary,
    method,
    path,
    tags: [tag = ""],
  } = operation;
  const group = tag.startsWith(ADMIN) ? tag.slice(ADMIN.length) : `storefront ${tag}`;
  const reads = method === "get" || (method === "post" && !takes(operation, "Idempotency-Key"));
  return {
    name: operationId,
    group: group.toLowerCase().replaceAll(" ", "-"),
    permission,
    method: method.toUpperCase(),
    path,
    title: summary,
    annotations: {
      readOnlyHint: reads,
      destructiveHint: !reads && (!ADDS.test(operationId) || CHANGES.has(operationId)),
      idempotentHint: reads || method !== "post",
      openWorldHint: false,
    },
    inputSchema: inputSchemaOf(document, operation),
  };
}

const takes = ({ parameters = [] }: Operation, name: string): boolean =>
  parameters.some((parameter) => parameter.name === name);

/** Parameters by name, and the body as `body`. */
function inputSchemaOf(document: OpenApi, { parameters = [], requestBody }: Operation): AdminTool["inputSchema"] {
  const taken = parameters.filter(({ in: place, name }) => place === "path" || place === "query" || HEADERS.has(name));
  const properties = inlined(document, Object.fromEntries(taken.map(({ name, schema }) => [name, schema])));
  const required = taken.filter((parameter) => parameter.required).map(({ name }) => name);
  const body = requestBody?.content["application/json"]?.schema as JsonSchema | undefined;
  // A body without documented fields is left out.
  const fields = body && inlined(document, body);
  const hasBody = fields && Object.keys(fields.properties ?? {}).length > 0;
  return {
    type: "object",
    // The parsed document contains only JSON.
    properties: { ...properties, ...(hasBody && { body: fields }) } as AdminTool["inputSchema"]["properties"],
    required: [...required, ...(hasBody && requestBody?.required ? ["body"] : [])],
    additionalProperties: false,
  };
}

/** Replaces references to schemas by the schemas, because not every client follows references. */
function inlined<Value>(document: OpenApi, value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => inlined(document, inner)) as Value;
  const ref: unknown = Reflect.get(value, "$ref");
  if (typeof ref === "string" && ref.startsWith("#/components/schemas/")) {
    return inlined(document, document.components.schemas[ref.split("/").at(-1) ?? ""]) as Value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inlined(document, inner)])) as Value;
}
