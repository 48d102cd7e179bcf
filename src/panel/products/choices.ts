import { categoryAt, type ProductRow } from "../../catalogue/products/schemas.ts";
import { type FormChoices, indented, namesOf, withChosen } from "../choices.ts";

/** The choices of a product's form, with those that are chosen already. */
export function chosenOf({ categoryPath, files }: ProductRow, choices: FormChoices) {
  const category = categoryAt(categoryPath);
  return {
    categories: withChosen(choices.categories, category ? [indented(category)] : []),
    files: withChosen(namesOf(choices.files), files),
  };
}
