import type { DemoCategory } from "./types.ts";

/** Parent categories, with the slugs of their subcategories. */
const above: (DemoCategory & { below: string[] })[] = [
  { name: "Sound", slug: "sound", below: ["field-recording", "synth-kits"] },
  { name: "Photography", slug: "photography", below: ["film-darkroom", "camera-carry"] },
  { name: "Paper & Print", slug: "paper-print", below: ["paper-notebooks", "printmaking"] },
];

/** Subcategories of the shelves, with the slugs of their products. */
const below: (DemoCategory & { products: string[] })[] = [
  {
    name: "Darkroom",
    slug: "darkroom",
    parent: "film-darkroom",
    products: [
      "two-reel-developing-tank",
      "fibre-base-paper-24x30cm",
      "led-safelight-red",
      "negative-sleeves-50-sheets",
    ],
  },
  {
    name: "Notebooks",
    slug: "notebooks",
    parent: "paper-notebooks",
    products: [
      "open-spine-notebook-a5-dot-grid",
      "sketchbook-a4-cold-pressed",
      "pocket-notebooks-set-of-three",
      "linen-journal",
    ],
  },
];

const tagged: Record<string, string[]> = {
  "Made by hand": [
    ...["rope-wrist-strap", "bridle-leather-neck-strap", "waxed-canvas-satchel", "open-spine-notebook-a5-dot-grid"],
    ...["indigo-washi-five-sheets", "walnut-kalimba-17-keys", "evening-hills-screen-print", "linen-journal"],
  ],
  "For beginners": [
    ...[
      "pinhole-camera-kit",
      "lino-carving-set",
      "soldering-starter-set",
      "bookbinding-starter-kit",
      "light-theremin-kit",
    ],
    ...["first-darkroom-day-one-seat", "sound-starter-bundle", "block-printed-t-shirt"],
  ],
  Gift: [
    ...["rope-wrist-strap", "pocket-notebooks-set-of-three", "walnut-kalimba-17-keys", "evening-hills-screen-print"],
    ...["harbours-at-night", "relief-inks-set-of-six", "wool-lens-wrap"],
  ],
  Refurbished: ["cassette-field-recorder-refurbished", "half-frame-camera"],
};

/** The shop's categories, each after its parent. */
export const withTree = (shelves: DemoCategory[]): DemoCategory[] => [
  ...above.map(({ below: _, ...category }) => category),
  ...shelves.map((category) => {
    const parent = above.find((one) => one.below.includes(category.slug));
    return parent ? { ...category, parent: parent.slug } : category;
  }),
  ...below.map(({ products: _, ...category }) => category),
];

/** The slug of a product's category: that of its shelf, or of a subcategory. */
export const categoryOfProduct = ({ slug, category }: { slug: string; category: string }): string =>
  below.find(({ products }) => products.includes(slug))?.slug ?? category;

export const demoTags = Object.keys(tagged);

export const tagsOfProduct = (slug: string): string[] => demoTags.filter((tag) => tagged[tag]?.includes(slug));
