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

/** Who may, as the requirements that OpenAPI has for it: the name in brackets is a key's permission or a user's role. */
export function securityOf({ access }: Route): NonNullable<ZodOpenApiOperationObject["security"]> {
  if (!access) return [];
  const { permission, users, anonymous } = access;
  return [
    ...(permission ? [{ ApiKey: [permission] }] : []),
    ...(users === "everybody" ? [{ UserToken: [] }] : users.map((role) => ({ UserToken: [role] }))),
    ...(anonymous ? [{}] : []),
  ];
}

/** Who may call an operation, as a sentence for its description. */
export function callersOf({ access }: Route): string {
  if (!access) return "Open to whoever signs as the provider does.";
  const { permission, whereMoneyMoves, users, anonymous } = access;
  const callers = [
    ...(permission ? [`API keys with \`${permission}\`${alsoNeeds(whereMoneyMoves)}`] : []),
    users === "everybody"
      ? "users"
      : `users with the role ${new Intl.ListFormat("en", { type: "disjunction" }).format(users)}`,
    ...(anonymous ? ["callers without a credential, limited by address"] : []),
  ];
  return `Open to ${callers.join("; ")}.${permission ? "" : " No API key may."}`;
}

const alsoNeeds = (permission: string | undefined): string =>
  permission ? `, and with \`${permission}\` where the change moves money` : "";
