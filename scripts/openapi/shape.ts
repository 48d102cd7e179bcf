/** Content by media type. */
export type Content = Record<string, { schema?: unknown; example?: unknown }>;

type Response = { content?: Content };

/** The parts of an OpenAPI document that these scripts read. */
export type OpenApi = {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        security?: Record<string, string[]>[];
        requestBody?: { content: Content };
        responses: Record<string, Response>;
      }
    >
  >;
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>;
  components: { responses: Record<string, Response> };
};

export type Operation = OpenApi["paths"][string][string] & { path: string; method: string };

/** Operations of a document by id. */
export const operationsOf = ({ paths }: OpenApi): Map<string, Operation> =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [operation.operationId, { ...operation, path, method }]),
    ),
  );
