/** Content by media type. */
export type Content = Record<string, { schema: JsonSchema; example?: unknown }>;

/** A JSON Schema, or a reference to one. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  deprecated?: boolean;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  /** In documents of older releases. */
  const?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  default?: unknown;
  additionalProperties?: boolean | JsonSchema;
} & Partial<
  Record<"maxLength" | "maximum" | "maxItems" | "minLength" | "minimum" | "exclusiveMinimum" | "minItems", number>
>;

export type Parameter = {
  $ref?: string;
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
};

type Header = { $ref?: string; required?: boolean; description?: string };

export type Response = {
  $ref?: string;
  description: string;
  headers?: Record<string, Header>;
  content?: Content;
};

type DocumentedOperation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  security: Record<string, string[]>[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
};

/** The parts of an OpenAPI document that these scripts read. */
export type OpenApi = {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: Omit<DocumentedOperation, "requestBody"> & { requestBody: { content: Content } } }>;
  components: {
    responses: Record<string, Response>;
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
  };
};

export type Operation = DocumentedOperation & { path: string; method: string };

/** Operations of a document by id. */
export const operationsOf = ({ paths }: OpenApi): Map<string, Operation> =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [operation.operationId, { ...operation, path, method }]),
    ),
  );

/**
 * The credential that examples send: a customer's token for what belongs to a customer, an API key where one is allowed,
 * and otherwise a user's token.
 */
export function credentialOf({ path, security }: Pick<Operation, "path" | "security">): "KEY" | "TOKEN" | null {
  const names = security.flatMap((one) => Object.keys(one));
  const isOpen = security.some((one) => Object.keys(one).length === 0);
  const isOwn = path.startsWith("/api/v1/user/") && !isOpen;
  if (names.includes("ApiKey") && !isOwn) return "KEY";
  return names.includes("UserToken") ? "TOKEN" : null;
}

/** True if an operation has a parameter. */
export const takes = ({ parameters = [] }: Operation, name: string): boolean =>
  parameters.some((parameter) => parameter.name === name);
