import * as z from "zod";
import { CartMerge, CartToken } from "../../../checkout/cart/public.ts";
import { Email } from "../../../domain/contact.ts";
import { coded, iso, line, Timestamp } from "../../../domain/fields.ts";
import { newShape } from "../../../platform/administration/fields.ts";
import { roles } from "../../../platform/db/schema.ts";
import { contactFields } from "../fields.ts";
import type { LoginChallenge } from "../two-factor/challenge.ts";
import { SecondFactorCode } from "../two-factor/two-factor.ts";
import type { SessionUser } from "../users.ts";
import { isCommonPassword } from "./common-passwords.ts";

export const NewPassword = z
  .string()
  .min(8)
  .max(128)
  .refine((password) => !isCommonPassword(password), {
    error: "is one of the most common passwords. Choose another one",
    ...coded("too_common"),
  });

const MergedCart = CartToken.optional().describe("Token of a guest cart to merge into the user's cart");

export const SignupRequest = z
  .strictObject({
    email: Email,
    password: NewPassword,
    name: line(100),
    ...newShape(contactFields),
    cart_token: MergedCart,
  })
  .meta({ id: "SignupRequest" });
export type SignupRequest = z.output<typeof SignupRequest>;

/** Does not apply the rules for new passwords: the password may be older than they are. */
export const LoginRequest = z
  .strictObject({
    email: Email,
    password: z.string().min(1).max(128),
    cart_token: MergedCart,
  })
  .meta({ id: "LoginRequest" });
export type LoginRequest = z.output<typeof LoginRequest>;

export const LoginCompletion = z
  .strictObject({
    challenge: z.string().min(1).max(200).describe("The `challenge` returned by `POST /auth/login`"),
    code: SecondFactorCode,
    cart_token: MergedCart,
  })
  .meta({ id: "LoginCompletion" });
export type LoginCompletion = z.output<typeof LoginCompletion>;

/** The password, or a code if the account has a second factor. */
export const Reauthentication = z
  .strictObject({ current_password: z.string().min(1).max(128).optional(), code: SecondFactorCode.optional() })
  .refine(({ current_password, code }) => (current_password === undefined) !== (code === undefined), {
    path: ["current_password"],
    error: "is required, or a code instead of it",
  })
  .meta({ id: "Reauthentication" });
export type Reauthentication = z.output<typeof Reauthentication>;

export const FreshToken = z
  .object({
    token: z.string().describe("Access token that allows sensitive changes for ten minutes"),
    expires_at: Timestamp.describe("Expiry of `token`"),
  })
  .meta({ id: "FreshToken" });

const RefreshToken = z.string().trim().min(1).max(200);

export const Refresh = z.strictObject({ refresh_token: RefreshToken });

/** Without a body, the caller's own session ends. */
export const Logout = z.strictObject({ refresh_token: RefreshToken.optional() });

const toUser = ({ id, email, name, role }: SessionUser) => ({ id, email, name, role });

const sessionFields = {
  token: z.string(),
  expires_at: Timestamp.describe("Expiry of `token`. The `refresh_token` is valid for 30 days"),
  refresh_token: z.string(),
  user: z.object({ id: z.int(), email: z.string(), name: z.string(), role: z.enum(roles) }),
};

export const Session = z.object(sessionFields).meta({ id: "Session" });
export type Session = z.output<typeof Session>;

export const SignedInSession = z
  .object({
    ...sessionFields,
    cart_merge: CartMerge.nullable().describe("Result of merging the guest cart. Null if there was no guest cart"),
  })
  .meta({ id: "SignedInSession" });

const TwoFactorChallenge = z
  .object({
    two_factor_required: z.boolean().describe("Always true. The account has a second factor"),
    challenge: z.string().describe("Value to send to `POST /auth/login/two-factor` together with a code"),
    expires_at: Timestamp.describe("Expiry of the challenge. It also ends after 15 attempts"),
  })
  .meta({ id: "TwoFactorChallenge" });

/** Response to a login: a session, or a challenge if the account has a second factor. */
export const LoginResult = z.union([SignedInSession, TwoFactorChallenge]).meta({ id: "LoginResult" });

/** Response to choosing a new password. */
export const ResetPasswordResult = z.union([Session, TwoFactorChallenge]).meta({ id: "ResetPasswordResult" });

export const toChallenge = ({ challenge, expiresAt }: LoginChallenge) => ({
  two_factor_required: true,
  challenge,
  expires_at: iso(expiresAt),
});

export const toLogin = (
  user: SessionUser,
  access: { token: string; expiresAt: number },
  refreshToken: string,
): Session => ({
  token: access.token,
  expires_at: iso(access.expiresAt),
  refresh_token: refreshToken,
  user: toUser(user),
});
