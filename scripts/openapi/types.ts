import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import ts from "typescript";

const blob = ts.factory.createTypeReferenceNode("Blob");

/** The types of the document, as the client has them: bytes are a Blob, and what has a default may be left out. */
export async function typesOf(document: string): Promise<string> {
  const nodes = await openapiTS(document, {
    defaultNonNullable: false,
    transform: ({ format }) => (format === "binary" ? blob : undefined),
  });
  return COMMENT_HEADER + astToString(nodes);
}
