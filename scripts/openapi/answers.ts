import * as z from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import type { Answer, AnswerHeader } from "../../src/platform/http/route-description.ts";
import {
  age,
  attachment,
  common,
  contentRange,
  link,
  location,
  ofAnswers,
  ofBytes,
  ofContent,
  replayed,
} from "./headers.ts";
import type { Route } from "./routes.ts";

const Pagination = z
  .object({
    current_page: z.int(),
    total_pages: z.int(),
    total_items: z.int(),
    total_items_exact: z.boolean().describe("False if counting stopped early and more rows than `total_items` exist"),
  })
  .meta({ id: "Pagination" });

const envelope = { status: z.literal("success"), message: z.string() };

/** Success responses of a route by status. */
export function answersOf({ answer, bytes, cached, idempotent }: Route): Record<string, ZodOpenApiResponseObject> {
  if (!answer) throw new Error("A route says nothing of its answer: put answers(…) before its handler");
  if (bytes === "with ranges") return ofFile();
  if (bytes)
    return { 200: { description: "The file", headers: z.object({ ...common, ...attachment }), content: binary } };
  const headers = {
    ...common,
    ...headersOf(answer),
    ...(cached && { ETag: ofAnswers.ETag, ...age }),
    ...(idempotent && replayed),
  };
  return { ...success(answer, headers), ...(cached && { 304: unchanged }) };
}

function success({ kind, data }: Answer, headers: Record<string, z.ZodType>): Record<string, ZodOpenApiResponseObject> {
  if (!data) return { 204: { description: "Success. The response has no body", headers: z.object(headers) } };
  if (kind === "list") {
    const schema = z.object({ ...envelope, data: z.array(data), pagination: Pagination });
    return { 200: json("A page of results", schema, { ...headers, ...link }) };
  }
  const schema = z.object({ ...envelope, data });
  return kind === "created"
    ? { 201: json("Created", schema, { ...headers, ...location }) }
    : { 200: json("Done", schema, headers) };
}

const json = (description: string, schema: z.ZodType, headers: Record<string, z.ZodType>) => ({
  description,
  headers: z.object(headers),
  content: { "application/json": { schema } },
});

const headersOf = ({ headers }: Answer): Record<string, z.ZodType> =>
  Object.fromEntries(headers.map((name: AnswerHeader) => [name, ofAnswers[name]]));

const unchanged: ZodOpenApiResponseObject = {
  id: "NotModified",
  description: "The resource still has the ETag sent in If-None-Match. The response has no body",
  headers: z.object({ ...common, ETag: ofAnswers.ETag, ...age }),
};

const binary = { "*/*": { schema: { type: "string", format: "binary" } } } as const;

const ofFile = (): Record<string, ZodOpenApiResponseObject> => ({
  200: { description: "The file", headers: z.object({ ...common, ...ofContent }), content: binary },
  206: {
    description: "The part of the file requested by Range",
    headers: z.object({ ...common, ...ofContent, ...contentRange }),
    content: binary,
  },
  304: {
    description: "The file still has the ETag sent in If-None-Match. The response has no body",
    headers: z.object({ ...common, ...ofBytes }),
  },
});
