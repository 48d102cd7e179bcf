import type * as z from "zod";
import { erasureRequested } from "./erasure.ts";
import { passwordChanged, passwordReset } from "./passwords.ts";

/** Every e-mail that the shop sends. */
export const templates = {
  password_reset: passwordReset,
  password_changed: passwordChanged,
  erasure_requested: erasureRequested,
};

export type TemplateName = keyof typeof templates;
export type Params<Name extends TemplateName> = z.input<(typeof templates)[Name]["params"]>;

export const isTemplate = (name: string): name is TemplateName => Object.hasOwn(templates, name);
