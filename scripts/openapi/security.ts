import type { ZodOpenApiOperationObject } from "zod-openapi";
import type { Route } from "./routes.ts";

export const securitySchemes = {
  ApiKey: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "sfk_…",
    description: "A key from the API Manager. It needs the permission that the operation names.",
  },
  UserToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `token` that a user gets by logging in.",
  },
} as const;

/** Who may, as the requirement that OpenAPI has for it: the names in brackets are a key's permission and a user's role. */
export function securityOf({ access }: Route): NonNullable<ZodOpenApiOperationObject["security"]> {
  if (!access) return [];
  const { permission, users, anonymous } = access;
  return [
    ...(permission ? [{ ApiKey: [permission] }] : []),
    { UserToken: users === "administrators" ? ["admin"] : [] },
    ...(anonymous ? [{}] : []),
  ];
}

/** The same in words. */
export function callersOf({ access }: Route): string {
  if (!access) return "The provider's signature is the credential.";
  const { permission, users, anonymous } = access;
  return [
    permission ? `API key: needs \`${permission}\`.` : "API key: none may.",
    users === "administrators" ? "User: administrators." : "User: every one.",
    ...(anonymous ? ["Without a credential: what is public, and no more than an address may."] : []),
  ].join(" ");
}
