import { createMiddleware } from "hono/factory";
import { ApiError } from "../../domain/errors.ts";
import { fieldsByName } from "../../platform/http/form-fields.ts";
import type { PanelEnv } from "../env.ts";
import type { Values } from "../forms/values.ts";
import type { Picker } from "./picker.ts";
import { resolvePicks } from "./resolve.ts";

const queryOf = (values: Values): string =>
  new URLSearchParams(Object.entries(values).flatMap(([name, each]) => each.map((value) => [name, value]))).toString();

/**
 * Looks for what was typed into the pickers of a list's filters, and leads to the list at the address that has its ids. What is
 * not found, or may be several things, is left to the page.
 */
export const resolvingPickers = (pickers: readonly Picker[]) =>
  createMiddleware<PanelEnv>(async (c, next) => {
    const { searchParams } = new URL(c.req.url);
    const values = fieldsByName([...searchParams].filter(([, value]) => value.trim() !== ""));
    try {
      const query = queryOf(await resolvePicks(c, values, pickers));
      if (query !== queryOf(values)) return c.redirect(`${c.req.path}?${query}`, 303);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    return next();
  });
