import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from "zod-openapi";
import { deprecations } from "../../src/platform/http/deprecations.ts";
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
  const { operationId = "", summary = "", description = "" } = route.answer ?? {};
  return {
    operationId,
    summary,
    ...(deprecations[`${route.method.toUpperCase()} ${route.path}`] && { deprecated: true }),
    description: [description, callersOf(route)].filter(Boolean).join("\n\n"),
    tags: [tagOf(route.path)],
    security: securityOf(route),
    requestParams: parametersOf(route),
    ...bodyOf(route),
    responses: { ...answersOf(route), ...refusalsOf(route) },
  };
}
