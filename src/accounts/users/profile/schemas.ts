import * as z from "zod";
import { coded } from "../../../domain/fields.ts";
import { changeShape } from "../../../platform/administration/fields.ts";
import { profileFields } from "../fields.ts";
import { NewPassword } from "../sign-in/schemas.ts";

/** Changing the address or the password requires the current password, because a token may be stolen. */
export const ProfileChange = z
  .strictObject({
    ...z.object(changeShape(profileFields)).partial().shape,
    password: NewPassword.optional(),
    current_password: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe("Current password. Required to change the e-mail address or the password"),
  })
  .refine(({ current_password: _, ...change }) => Object.keys(change).length > 0, {
    error: "must change something",
    ...coded("nothing_to_change"),
  })
  .refine(
    ({ email, password, current_password }) => (email ?? password) === undefined || current_password !== undefined,
    {
      path: ["current_password"],
      error: "is required to change the e-mail address or the password",
    },
  )
  .meta({ id: "ProfileChange", description: "Fields to change. Fields that are not sent keep their values" });
export type ProfileChange = z.output<typeof ProfileChange>;
