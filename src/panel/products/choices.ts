import type { ProductRow } from "../../catalogue/products/schemas.ts";
import { type FormChoices, indented, namesOf, withChosen } from "../choices.ts";

/** The choices of a product's form, with those that are chosen already. */
export const chosenOf = ({ category, files }: ProductRow, choices: FormChoices) => ({
  categories: withChosen(choices.categories, category ? [indented(category)] : []),
  files: withChosen(namesOf(choices.files), files),
});
