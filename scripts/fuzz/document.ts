import { document, resolve } from "../openapi/published.ts";
import { type Operation as Documented, operationsOf, type Parameter, type Response } from "../openapi/shape.ts";

/** An operation whose references are resolved. */
export type Operation = Documented & { parameters: Parameter[] };

const resolveAll = <T extends { $ref?: string }>(things: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(things).map(([name, thing]) => [name, resolve(thing)]));

/** Every operation of the document. */
export const operations: Operation[] = [...operationsOf(document).values()].map((operation) => ({
  ...operation,
  method: operation.method.toUpperCase(),
  parameters: (operation.parameters ?? []).map(resolve),
  responses: Object.fromEntries(
    Object.entries(resolveAll(operation.responses)).map(([status, response]): [string, Response] => [
      status,
      { ...response, headers: resolveAll(response.headers ?? {}) },
    ]),
  ),
}));
