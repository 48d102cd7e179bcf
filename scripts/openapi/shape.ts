/** Content by media type. */
export type Content = Record<string, { schema?: unknown; example?: unknown }>;

type Response = { content?: Content };

/** A JSON Schema, or a reference to one. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  deprecated?: boolean;
  enum?: (string | null)[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  default?: unknown;
  additionalProperties?: boolean | JsonSchema;
};

type Parameter = { $ref?: string; in: string; name: string; required?: boolean; schema: JsonSchema };

/** The parts of an OpenAPI document that these scripts read. */
export type OpenApi = {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        summary: string;
        description: string;
        tags: string[];
        parameters?: Parameter[];
        security?: Record<string, string[]>[];
        requestBody?: { required?: boolean; content: Content };
        responses: Record<string, Response>;
      }
    >
  >;
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>;
  components: {
    responses: Record<string, Response>;
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Parameter>;
  };
};

export type Operation = OpenApi["paths"][string][string] & { path: string; method: string };

/** Operations of a document by id. */
export const operationsOf = ({ paths }: OpenApi): Map<string, Operation> =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [operation.operationId, { ...operation, path, method }]),
    ),
  );

/** True if an operation has a parameter. */
export const takes = ({ parameters = [] }: Operation, name: string): boolean =>
  parameters.some((parameter) => parameter.name === name);
