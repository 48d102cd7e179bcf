import { readFileSync } from "node:fs";

// The parts of public/openapi.json that the pages use.

export type Schema = {
  $ref?: string;
  type?: string;
  description?: string;
  format?: string;
  enum?: unknown[];
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

export type Parameter = {
  $ref?: string;
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};
type Media = { schema: Schema; example?: unknown };
export type Response = {
  $ref?: string;
  description: string;
  headers?: Record<string, { $ref?: string; description?: string }>;
  content?: Record<string, Media>;
};

export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
};

type OpenApi = {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    headers: Record<string, { description: string }>;
  };
};

export const document: OpenApi = JSON.parse(readFileSync("public/openapi.json", "utf8"));

/** The name of a reference's target. */
export const nameOf = (ref: string): string => ref.split("/").at(-1) ?? "";

/** Follows a reference to its component. */
export const resolve = <Part extends { $ref?: string }>(part: Part): Part =>
  part.$ref
    ? part.$ref
        .split("/")
        .slice(1)
        .reduce((at, name) => (at as Record<string, never>)[name] as never, document as unknown as Part)
    : part;

export type Route = Operation & { method: string; path: string };

/** A page of operations. */
export type Group = { slug: string; area: string; title: string; description: string; routes: Route[] };

const ADMIN = "Admin: ";
const routes: Route[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
);

/** Deletions come last, of parts before the whole, so that a reader can send one example after another. */
const deletionPlace = ({ method, path }: Route): number => (method === "delete" ? 1 / path.split("/").length : 0);

/** Operations by page, in the document's order. */
export const groups: Group[] = document.tags.map(({ name, description }) => {
  const isAdmin = name.startsWith(ADMIN);
  const noun = isAdmin ? name.slice(ADMIN.length) : name;
  return {
    slug: name.toLowerCase().replaceAll(/\W+/g, "-"),
    area: isAdmin ? "Administration" : "Storefront",
    title: noun.charAt(0).toUpperCase() + noun.slice(1),
    description,
    routes: routes
      .filter(({ tags }) => tags[0] === name)
      .toSorted((one, other) => deletionPlace(one) - deletionPlace(other)),
  };
});

/** Webhook events by type. */
export const events: [type: string, event: Operation][] = Object.entries(document.webhooks).map(([type, { post }]) => [
  type,
  post,
]);
