import { cameraCarry } from "./products/camera-carry.ts";
import { digitalLibrary } from "./products/digital-library.ts";
import { fieldRecording } from "./products/field-recording.ts";
import { filmDarkroom } from "./products/film-darkroom.ts";
import { paperNotebooks } from "./products/paper-notebooks.ts";
import { printmaking } from "./products/printmaking.ts";
import { synthKits } from "./products/synth-kits.ts";
import { workshopsRepairs } from "./products/workshops-repairs.ts";
import { withTree } from "./tree.ts";
import type { DemoCategory, DemoProduct } from "./types.ts";

const shelves = [
  fieldRecording,
  synthKits,
  filmDarkroom,
  cameraCarry,
  paperNotebooks,
  printmaking,
  digitalLibrary,
  workshopsRepairs,
];

export const categories: DemoCategory[] = withTree(shelves.map(({ category }) => category));
export const products: DemoProduct[] = shelves.flatMap(({ products }) => products);

/** A product's pictures, by the option value that they show. A product without visible options has one. */
export function picturesOf({ name, slug, options = [], picturedBy }: DemoProduct) {
  const shown = options.find((option) => option.name === picturedBy)?.values;
  if (!shown) return new Map([["", { url: `/demo/${slug}.webp`, alt: name }]]);
  return new Map(
    shown.map((value) => {
      const url = `/demo/${slug}-${value.toLowerCase().replaceAll(" ", "-")}.webp`;
      return [value, { url, alt: `${name}, ${value}` }];
    }),
  );
}
