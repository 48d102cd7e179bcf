import { shelf } from "./shelf.ts";

export const printmaking = shelf({ name: "Printmaking", slug: "printmaking" }, "physical", [
  {
    name: "Lino Carving Set",
    slug: "lino-carving-set",
    sku: "PRT-601",
    description: "Five carbon-steel gouges that can be resharpened, in pear-wood handles, with a leather strop.",
    price: 4900,
    stock: 22,
    metadata: { material: "carbon steel, pear wood", tools: "5" },
  },
  {
    name: "Lino Blocks A5, Pack of Four",
    slug: "lino-blocks-a5-pack-of-four",
    sku: "PRT-602",
    description: "Grey artist's linoleum, 3.2 mm thick, mounted on board. Warm it a little before the first cut.",
    price: 1590,
    stock: 74,
    metadata: { size: "15 x 21 cm", thickness: "3.2 mm" },
  },
  {
    name: "Relief Ink, Carbon Black, 150 ml",
    slug: "relief-ink-carbon-black-150ml",
    sku: "PRT-603",
    description:
      "An oil-based ink that washes up with soap and water. Dense, matt, and workable on the slab for hours.",
    price: 1850,
    stock: 52,
    metadata: { volume: "150 ml", binder: "linseed oil" },
  },
  {
    name: "Relief Inks, Set of Six",
    slug: "relief-inks-set-of-six",
    sku: "PRT-604",
    description: "Ochre, brick, moss, teal, night blue and an extender, 40 ml each: colours chosen to overprint well.",
    price: 4400,
    compareAtPrice: 5200,
    stock: 16,
    metadata: { volume: "6 x 40 ml", binder: "linseed oil" },
  },
  {
    name: "Rubber Brayer, 10 cm",
    slug: "rubber-brayer-10cm",
    sku: "PRT-605",
    description: "A soft 30 shore roller on a steel frame, with a rest that keeps it off the table.",
    price: 2350,
    stock: 31,
    weightGrams: 260,
    metadata: { width: "10 cm" },
  },
  {
    name: "Ball-Bearing Baren",
    slug: "ball-bearing-baren",
    sku: "PRT-606",
    description:
      "Eighty-one steel balls under a turned oak grip press evenly without a press. Made to order by one workshop.",
    price: 12800,
    stock: 3,
    metadata: { material: "oak, steel", diameter: "11 cm" },
  },
  {
    name: "Tabletop Press A4",
    slug: "tabletop-press-a4",
    sku: "PRT-607",
    description:
      "A geared etching press with a 30 cm steel bed for relief and intaglio. Arrives assembled on a pallet.",
    price: 64900,
    stock: 0,
    weightGrams: 31000,
    metadata: { material: "steel", bed: "30 x 60 cm" },
  },
]);
