import * as z from "zod";

/** A coordinate of a key: 32 bytes in base64url. */
export const Coordinate = z.string().regex(/^[\w-]{43}$/);

/** A binding that holds private JWKs of one curve as JSON, newest first. */
export const privateKeyList = <Jwk extends { kid: string }>(key: z.ZodType<Jwk>, curve: string) =>
  z
    .string("is missing")
    .transform((text, context) => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue("is not JSON");
        return z.NEVER;
      }
    })
    .pipe(z.tuple([key], key, `is not a JSON array of private ${curve} JWKs with a kid`))
    .refine((keys) => new Set(keys.map(({ kid }) => kid)).size === keys.length, "has two keys with the same kid");
