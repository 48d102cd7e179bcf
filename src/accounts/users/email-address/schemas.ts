import * as z from "zod";
import { isoOrNull, Timestamp } from "../../../domain/fields.ts";
import { LinkToken } from "../link-tokens.ts";

export const LinkTokenBody = z.strictObject({ token: LinkToken }).meta({ id: "LinkToken" });

export const VerifyEmail = z
  .strictObject({
    token: LinkToken,
    password: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe("Password of the account. Not needed with a user token of the account, even an expired one"),
  })
  .meta({ id: "VerifyEmail" });
export type VerifyEmail = z.output<typeof VerifyEmail>;

export const VerifiedEmail = z
  .object({
    email: z.string(),
    email_verified_at: Timestamp.nullable().describe(
      "When the address was verified. Null if the link approved a proposed address, which is then sent a link to verify it",
    ),
    new_password_needed: z
      .boolean()
      .describe(
        "True if the link was opened without the account's token or password, and the address was the first to be verified. The password, sessions and personal details set before have ended, and a link to choose a new password was sent",
      ),
  })
  .meta({ id: "VerifiedEmail" });

/** Result of using a link: the address, when it was verified, and true if a new password must be chosen. */
export type Verified = { email: string; verifiedAt: number | null; newPasswordNeeded: boolean };

export const toVerifiedEmail = ({
  email,
  verifiedAt,
  newPasswordNeeded,
}: Verified): z.output<typeof VerifiedEmail> => ({
  email,
  email_verified_at: isoOrNull(verifiedAt),
  new_password_needed: newPasswordNeeded,
});
