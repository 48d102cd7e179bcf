import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import ts from "typescript";

const blob = ts.factory.createTypeReferenceNode("Blob");

/** The client's types: bytes are a Blob, and fields with a default may be omitted. */
export async function typesOf(document: string): Promise<string> {
  const nodes = await openapiTS(document, {
    defaultNonNullable: false,
    transform: ({ format }) => (format === "binary" ? blob : undefined),
  });
  return COMMENT_HEADER + astToString(nodes);
}
