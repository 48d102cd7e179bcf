import * as z from "zod";
import { Timestamp } from "../../../domain/fields.ts";

export const Code = z
  .string()
  .min(1)
  .max(40)
  .describe("Six-digit code of the authenticator app, or a recovery code. Each code works once");

export const TwoFactorCode = z.strictObject({ code: Code }).meta({ id: "TwoFactorCode" });

export const BeginTwoFactor = z
  .strictObject({ current_password: z.string().min(1).max(128) })
  .meta({ id: "BeginTwoFactor" });

export const TwoFactorStatus = z
  .object({
    enabled: z.boolean(),
    enabled_at: Timestamp.nullable(),
    recovery_codes_left: z.int().describe("Number of unused recovery codes"),
  })
  .meta({ id: "TwoFactorStatus" });

export const TwoFactorEnrolment = z
  .object({
    secret: z.string().describe("Secret in base32, for apps that cannot scan a QR code"),
    uri: z.string().describe("The `otpauth://` address contained in the QR code"),
    qr_code: z.string().describe("QR code as SVG"),
  })
  .meta({ id: "TwoFactorEnrolment" });

export const RecoveryCodes = z
  .object({
    recovery_codes: z
      .array(z.string())
      .describe("Recovery codes, shown only once. Each code works for one login without the app"),
  })
  .meta({ id: "RecoveryCodes" });
