/** Placeholder for a missing product picture: its initials. */
export const Blank = ({ name }: { name: string }) => (
  <span class="blank" aria-hidden="true">
    <span>{initialsOf(name)}</span>
  </span>
);

/** The first characters of a name's first two words: "FP" for "Field Pack", "和" for "和紙". */
const initialsOf = (name: string): string =>
  [...name.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]\p{M}*/gu)]
    .slice(0, 2)
    .map(([first]) => first.toUpperCase())
    .join("");
