import { groups, type Route } from "./document.ts";
import { callOf } from "./operation.ts";

// The operations with their recorded examples in Postman's format 2.1 (https://schema.getpostman.com/json/collection/v2.1.0/docs),
// which Bruno and Insomnia import too. A conversion of the document by a program sends invented values in every parameter.

/** The collection, as JSON. */
export const collection = (): string =>
  JSON.stringify({
    info: { name: "Storefront", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{credential}}", type: "string" }] },
    variable: [
      { key: "baseUrl", value: "http://localhost:8787" },
      { key: "credential", value: "" },
    ],
    item: groups.map(({ area, title, routes }) => ({ name: `${area}: ${title}`, item: routes.map(requestOf) })),
  });

function requestOf(route: Route) {
  const { method, path, idempotent, inputs, body } = callOf(route);
  const valuesIn = (place: string) =>
    inputs
      .filter((input) => input.in === place)
      .map(({ name, value = "", required }) => ({ key: name, value, disabled: !required }));
  const address = `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
  return {
    name: route.summary,
    request: {
      method: method.toUpperCase(),
      url: {
        raw: address,
        host: ["{{baseUrl}}"],
        path: address.split("/").slice(1),
        query: valuesIn("query"),
        variable: valuesIn("path"),
      },
      header: [
        ...valuesIn("header"),
        ...(idempotent ? [{ key: "Idempotency-Key", value: "{{$guid}}" }] : []),
        ...(body === null ? [] : [{ key: "Content-Type", value: "application/json" }]),
      ],
      ...(body !== null && { body: { mode: "raw", raw: JSON.stringify(JSON.parse(body), null, 2) } }),
    },
  };
}
