import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import ts from "typescript";
import { type OpenApi, operationsOf, takes } from "./shape.ts";

const blob = ts.factory.createTypeReferenceNode("Blob");

/**
 * The client's types: bytes are a Blob, and fields with a default may be omitted. With the paths of which the client has to know
 * more than a type.
 */
export async function typesOf(document: OpenApi): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(document), {
    defaultNonNullable: false,
    transform: ({ format }) => (format === "binary" ? blob : undefined),
  });
  return COMMENT_HEADER + astToString(nodes) + idempotentPaths(document);
}

function idempotentPaths(document: OpenApi): string {
  const paths = [...operationsOf(document).values()]
    .filter((operation) => takes(operation, "Idempotency-Key"))
    .map(({ path }) => path);
  return `\n/** Paths whose POST takes an Idempotency-Key. */\nexport const idempotentPaths: ReadonlySet<string> = new Set(${JSON.stringify(paths, null, 4)});\n`;
}
