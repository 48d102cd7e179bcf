import * as z from "zod";
import { Email } from "../../../domain/email.ts";
import { LinkToken } from "../link-tokens/require-link.ts";
import { NewPassword } from "../sign-in/schemas.ts";

export const ForgotPassword = z.strictObject({ email: Email }).meta({ id: "ForgotPassword" });

export const ResetPassword = z.strictObject({ token: LinkToken, password: NewPassword }).meta({ id: "ResetPassword" });
export type ResetPassword = z.output<typeof ResetPassword>;
