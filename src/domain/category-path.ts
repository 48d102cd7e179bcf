import * as z from "zod";
import { lineWithout } from "./fields.ts";

export const MAX_CATEGORY_NAME = 200;

/** The name of a category. A path separates names by `>`. */
export const CategoryName = lineWithout(">", MAX_CATEGORY_NAME, "must not contain >");

export const CategoryStep = z.object({ id: z.int(), name: z.string(), slug: z.string() });
export type CategoryStep = z.output<typeof CategoryStep>;

/** Breadcrumbs of a category. */
export const CategoryPath = z
  .array(CategoryStep)
  .describe("Categories from the top of the tree down to this one, which is the last");

/** A path as people read it: "Clothing > Shirts". */
export const pathText = (path: readonly { name: string }[]): string => path.map(({ name }) => name).join(" > ");

/** The names in "Clothing > Shirts". */
export const namesInPath = (text: string): string[] =>
  text
    .split(">")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** Identifies a category by its path, ignoring the case of the letters A to Z, as the database does. */
export const categoryKey = (path: readonly { name: string }[]): string =>
  pathText(path).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
