import { readFileSync } from "node:fs";
import type { Permission } from "../../src/platform/auth/roles.ts";

/** A JSON Schema in the document. */
export type Schema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
};

export type Parameter = { name: string; in: "path" | "query" | "header"; required?: boolean; schema: Schema };

type Body = { required?: boolean; content: Record<string, { schema: Schema }> };

type Answer = {
  headers?: Record<string, { required?: boolean }>;
  content?: Record<string, { schema: Schema }>;
};

export type Operation = {
  operationId: string;
  method: string;
  path: string;
  security: { ApiKey?: Permission[]; UserToken?: string[] }[];
  parameters: Parameter[];
  requestBody?: Body;
  responses: Record<string, Answer>;
};

type Components = Record<string, Record<string, unknown>>;
type WrittenOperation = {
  components: Components;
  paths: Record<string, Record<string, Operation>>;
};

export const document: WrittenOperation = JSON.parse(readFileSync("public/openapi.json", "utf8"));

/** Resolves a `$ref`, or returns the object itself. */
export function resolve<T extends object>(thing: T): T {
  if (!("$ref" in thing) || typeof thing.$ref !== "string") return thing;
  const [, , section = "", name = ""] = thing.$ref.split("/");
  return resolve(document.components[section]?.[name] as T);
}

const resolveAll = <T extends object>(things: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(things).map(([name, thing]) => [name, resolve(thing)]));

/** Every operation of the document. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
    parameters: operation.parameters.map(resolve),
    responses: Object.fromEntries(
      Object.entries(resolveAll(operation.responses)).map(([status, answer]) => [
        status,
        { ...answer, headers: resolveAll(answer.headers ?? {}) },
      ]),
    ),
  })),
);
