import * as z from "zod";
import { Timestamp } from "../../../domain/fields.ts";

export const Code = z
  .string()
  .min(1)
  .max(40)
  .describe("Six digits of the authenticator app, or a recovery code. Each is good for once");

export const TwoFactorCode = z.strictObject({ code: Code }).meta({ id: "TwoFactorCode" });

export const BeginTwoFactor = z
  .strictObject({ current_password: z.string().min(1).max(128) })
  .meta({ id: "BeginTwoFactor" });

export const TwoFactorStatus = z
  .object({
    enabled: z.boolean(),
    enabled_at: Timestamp.nullable(),
    recovery_codes_left: z.int().describe("How many recovery codes were not used yet"),
  })
  .meta({ id: "TwoFactorStatus" });

export const TwoFactorEnrolment = z
  .object({
    secret: z.string().describe("In base32, for apps that read no QR code"),
    uri: z.string().describe("`otpauth://…`, as the QR code has it"),
    qr_code: z.string().describe("An SVG"),
  })
  .meta({ id: "TwoFactorEnrolment" });

export const RecoveryCodes = z
  .object({
    recovery_codes: z.array(z.string()).describe("Shown this once: each is good for one login without the app"),
  })
  .meta({ id: "RecoveryCodes" });
