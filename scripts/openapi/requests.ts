import * as z from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import { BOOKMARK } from "../../src/platform/db/client.ts";
import { apiHistory, VERSION_HEADER, versionsOf } from "../../src/platform/http/api-versions.ts";
import type { Route } from "./routes.ts";

const parameter = (id: string, description: string) => z.string().optional().meta({ description, param: { id } });

const bookmark = z
  .string()
  .regex(BOOKMARK)
  .optional()
  .meta({
    description: "X-D1-Bookmark of an earlier response. The data returned is at least as recent",
    param: { id: "Bookmark" },
  });
const apiVersion = z
  .enum(versionsOf(apiHistory))
  .optional()
  .meta({
    description:
      "Version of the API. Defaults to the newest when the API key was created, or to the first without a key",
    param: { id: "ApiVersionRequest" },
  });
const ifNoneMatch = parameter("IfNoneMatch", "ETag of a stored copy. Returns 304 if it is still current");
const ifMatch = parameter("IfMatchFile", "ETag of the requested file. Returns 412 if the file has changed");
const range = parameter("Range", "Requested part of the file: `bytes=1000-` continues after the first 1,000 bytes");
const ifRange = parameter("IfRange", "ETag of the partial copy. Returns the whole file if it has changed");

/** Path, query and header parameters of a route. */
export function parametersOf({ reads, cached, bytes }: Route): NonNullable<ZodOpenApiOperationObject["requestParams"]> {
  const hasRanges = bytes === "with ranges";
  const shapeOf = (wanted: string): Record<string, z.ZodType> =>
    Object.assign(
      {},
      ...reads.map(({ target, schema }) => (target === wanted && "shape" in schema ? schema.shape : {})),
    );
  const [path, query] = [shapeOf("param"), shapeOf("query")];
  const header = {
    ...Object.fromEntries(Object.entries(shapeOf("header")).map(([name, schema]) => [capitals(name), schema])),
    ...((cached || hasRanges) && { "If-None-Match": ifNoneMatch }),
    ...(hasRanges && { "If-Match": ifMatch, Range: range, "If-Range": ifRange }),
    [VERSION_HEADER]: apiVersion,
    "X-D1-Bookmark": bookmark,
  };
  return {
    ...(Object.keys(path).length > 0 && { path: z.object(path) }),
    ...(Object.keys(query).length > 0 && { query: z.object(query) }),
    header: z.object(header),
  };
}

/** `if-match` in its usual spelling: If-Match. */
const capitals = (name: string): string => name.replace(/(^|-)\w/g, (letter) => letter.toUpperCase());

const file = z.file().meta({ description: "Content of the file. Send it after all other fields" });

/** The request body of a route, if it takes one. */
export function bodyOf({ reads, body, method, path }: Route): Pick<ZodOpenApiOperationObject, "requestBody"> {
  if (body?.fields) {
    const schema = z.object({ ...("shape" in body.fields ? (body.fields.shape as z.ZodRawShape) : {}), file });
    return { requestBody: { required: true, content: { [body.type]: { schema } } } };
  }
  if (body) return { requestBody: { required: true, content: { [body.type]: { schema: binary } } } };
  const json = reads.find(({ target }) => target === "json");
  if (json) {
    const required = !json.schema.safeParse({}).success;
    return { requestBody: { required, content: { "application/json": { schema: json.schema } } } };
  }
  if (method !== "post") return {};
  if (!path.startsWith("/api/v1/webhooks/")) throw new Error(`POST ${path} says of no body: validate("json", Nothing)`);
  return { requestBody: { required: true, content: { "application/json": { schema: event } } } };
}

const binary = { type: "string", format: "binary" } as const;
const event = { type: "object", description: "The event as the provider sends and signs it" } as const;
