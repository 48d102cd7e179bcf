import * as z from "zod";
import { iso, Timestamp } from "../../../domain/fields.ts";
import { LinkToken } from "../link-tokens/require-link.ts";

export const LinkTokenBody = z.strictObject({ token: LinkToken }).meta({ id: "LinkToken" });

export const VerifiedEmail = z
  .object({ email: z.string(), email_verified_at: Timestamp })
  .meta({ id: "VerifiedEmail" });

export const toVerifiedEmail = (email: string, now: number): z.output<typeof VerifiedEmail> => ({
  email,
  email_verified_at: iso(now),
});
