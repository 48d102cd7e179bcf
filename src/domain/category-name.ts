/** The longest name of a category, which may be a whole path such as "Clothing > Shirts". */
export const MAX_CATEGORY_NAME = 300;

/** The name of a category by the names that lead to it: without the first of them where it would be too long. */
export function categoryNameOf(path: string[]): string {
  const name = path.join(" > ");
  return path.length > 1 && name.length > MAX_CATEGORY_NAME ? categoryNameOf(path.slice(1)) : name;
}

/** What tells a category from others: its name, in which the case of a letter from A to Z does not count. */
export const categoryKey = (name: string): string => name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
