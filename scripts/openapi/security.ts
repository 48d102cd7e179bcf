import type { ZodOpenApiOperationObject } from "zod-openapi";
import type { Route } from "./routes.ts";

export const securitySchemes = {
  ApiKey: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "sfk_…",
    description: "API key from the API Manager. Needs the permission named by the operation.",
  },
  UserToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "Access token: the `token` returned when a user signs in or refreshes a session.",
  },
} as const;

/** Security requirements of an operation. Scopes are a permission of API keys or roles of users. */
export function securityOf({ access }: Route): NonNullable<ZodOpenApiOperationObject["security"]> {
  if (!access) return [];
  const { permission, users, anonymous } = access;
  return [
    ...(permission ? [{ ApiKey: [permission] }] : []),
    ...(users === "everybody" ? [{ UserToken: [] }] : users.map((role) => ({ UserToken: [role] }))),
    ...(anonymous ? [{}] : []),
  ];
}

/** A sentence that names the allowed callers, for an operation's description. */
export function callersOf({ access }: Route): string {
  if (!access) return "Requires the signature of the payment provider.";
  const { permission, whereMoneyMoves, users, anonymous } = access;
  const callers = [
    ...(permission ? [`API keys with \`${permission}\`${alsoNeeds(whereMoneyMoves)}`] : []),
    users === "everybody"
      ? "users"
      : `users with the role ${new Intl.ListFormat("en", { type: "disjunction" }).format(users)}`,
    ...(anonymous ? ["callers without a credential (rate limited by IP address)"] : []),
  ];
  return `Available to ${and.format(callers)}.${permission ? "" : " API keys cannot use it."}`;
}

const and = new Intl.ListFormat("en", { type: "conjunction" });

const alsoNeeds = (permission: string | undefined): string =>
  permission ? ` (and \`${permission}\` if the change moves money)` : "";
