import * as z from "zod";
import type { Secrets } from "./auth/secrets.ts";
import { type PrivateJwk, readTokenKeys, type TokenKeys } from "./auth/tokens.ts";

/** The installation's secrets and choices, read from the Worker's bindings and known to be usable. */
export type Settings = {
  apiKeySecrets: Secrets;
  linkSecrets: Secrets;
  tokenKeys: TokenKeys;
  tokenIssuer: string;
  /** ISO 4217. */
  currency: string;
  publicCatalog: boolean;
};

/** A secret that is short or repeats itself was typed, or copied from an example. */
const Secret = z
  .string()
  .min(32, "is shorter than 32 characters")
  .refine((secret) => new Set(secret).size >= 12, "is not random: it looks like a placeholder");

const SecretList = z
  .string("is missing")
  .transform((list) => list.split(",").map((secret) => secret.trim()))
  .pipe(z.tuple([Secret], Secret));

const Ed25519Jwk: z.ZodType<PrivateJwk> = z.looseObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string(),
  d: z.string(),
  kid: z.string().min(1),
});

const TokenKeyList = z
  .string("is missing")
  .transform((text, context) => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue("is not JSON");
      return z.NEVER;
    }
  })
  .pipe(z.tuple([Ed25519Jwk], Ed25519Jwk, "is not a JSON array of private Ed25519 JWKs with a kid"));

const Bindings = z.object({
  API_KEY_SECRET: SecretList,
  LINK_SECRET: SecretList,
  TOKEN_KEYS: TokenKeyList,
  TOKEN_ISSUER: z.string().min(1, "is empty"),
  CURRENCY: z.string().regex(/^[A-Z]{3}$/, "is not an ISO 4217 code"),
  PUBLIC_CATALOG: z.enum(["true", "false"], 'is neither "true" nor "false"'),
});

let last: { from: string; settings: Settings } | undefined;

/** Reads and checks the bindings once an isolate. Throws a sentence that says which is wrong and what to do. */
export function readSettings(env: Env): Settings {
  const from = [
    env.API_KEY_SECRET,
    env.LINK_SECRET,
    env.TOKEN_KEYS,
    env.TOKEN_ISSUER,
    env.CURRENCY,
    env.PUBLIC_CATALOG,
  ].join("\n");
  if (last?.from !== from) last = { from, settings: parse(env) };
  return last.settings;
}

function parse(env: Env): Settings {
  const { data, error } = Bindings.safeParse(env);
  if (error) {
    const [issue] = error.issues;
    throw new Error(
      `${issue?.path[0]?.toString()} ${issue?.message}. Locally \`npm start\` writes it to .dev.vars; in production run ` +
        "`npm run secrets` and follow README.md, Deploy.",
    );
  }
  return {
    apiKeySecrets: data.API_KEY_SECRET,
    linkSecrets: data.LINK_SECRET,
    tokenKeys: readTokenKeys(data.TOKEN_KEYS),
    tokenIssuer: data.TOKEN_ISSUER,
    currency: data.CURRENCY,
    publicCatalog: data.PUBLIC_CATALOG === "true",
  };
}
