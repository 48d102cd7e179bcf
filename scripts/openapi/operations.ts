import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from "zod-openapi";
import { answersOf } from "./answers.ts";
import { refusalsOf } from "./refusals.ts";
import { bodyOf, parametersOf } from "./requests.ts";
import { type Route, routes } from "./routes.ts";
import { callersOf, securityOf } from "./security.ts";
import { tagOf } from "./tags.ts";

export async function operations(): Promise<ZodOpenApiPathsObject> {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of await routes()) paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  return paths;
}

function operation(route: Route): ZodOpenApiOperationObject {
  const summary = route.answer?.summary ?? "";
  return {
    operationId: idOf(summary),
    summary,
    description: callersOf(route),
    tags: [tagOf(route.path)],
    security: securityOf(route),
    requestParams: parametersOf(route),
    ...bodyOf(route),
    responses: { ...answersOf(route), ...refusalsOf(route) },
  };
}

/** "Get a product" is getProduct. */
function idOf(summary: string): string {
  const [words = ""] = summary
    .toLowerCase()
    .replace(/\b(a|an|the)\b/g, "")
    .split(",");
  return words.trim().replace(/\s+(\w)/g, (_, letter: string) => letter.toUpperCase());
}
