import { shelf } from "./shelf.ts";

export const cameraCarry = shelf(
  { name: "Camera Carry", slug: "camera-carry" },
  "physical",
  [
    {
      name: "Rope Wrist Strap",
      slug: "rope-wrist-strap",
      sku: "CAR-401",
      description:
        "Climbing rope whipped with waxed thread, with a leather tab to keep the ring off the camera. Holds 12 kg.",
      price: 2200,
      stock: 48,
      metadata: { material: "nylon rope, leather", colour: "ochre" },
    },
    {
      name: "Bridle Leather Neck Strap",
      slug: "bridle-leather-neck-strap",
      sku: "CAR-402",
      description:
        "Vegetable-tanned bridle leather, 14 mm wide and 110 cm long, that darkens with the years. Stitched by hand.",
      price: 5400,
      stock: 21,
      weightGrams: 62,
      metadata: { material: "leather", length: "110 cm" },
    },
    {
      name: "Waxed Canvas Satchel",
      slug: "waxed-canvas-satchel",
      sku: "CAR-403",
      description: [
        "Room for a camera, two lenses, a recorder and **a sandwich**. It keeps its shape when it is empty and sheds an hour of rain.",
        "## What it holds\n\n- a camera with a lens up to 20 cm long\n- two more lenses, between padded dividers of *wool felt*\n- a recorder, a notebook and a water bottle",
        "## Care\n\nBrush it dry. Once a year, rub in wax from the [Camera Carry shelf](/?category=camera-carry) and warm it with a hair dryer. Solid brass hardware needs nothing.",
      ].join("\n\n"),
      seoDescription:
        "A 9 l camera satchel of waxed cotton with wool felt dividers and brass hardware. Sheds an hour of rain.",
      price: 14900,
      compareAtPrice: 17900,
      stock: 7,
      weightGrams: 1240,
      metadata: { material: "waxed cotton, wool felt", volume: "9 l" },
    },
    {
      name: "Film Roll Pouch",
      slug: "film-roll-pouch",
      sku: "CAR-404",
      description:
        "Six elastic loops for exposed and unexposed rolls, told apart by a red and a white edge. Rolls up small.",
      price: 2800,
      stock: 36,
      metadata: { material: "cotton canvas", rolls: "6" },
    },
    {
      name: "Wool Lens Wrap",
      slug: "wool-lens-wrap",
      sku: "CAR-405",
      description: "A 40 cm square of felted wool with a self-closing corner. Wrap a lens, a recorder or a cup in it.",
      price: 1900,
      stock: 2,
      weightGrams: 80,
      metadata: { material: "wool", colour: "sage" },
    },
    {
      name: "Ash Travel Tripod",
      slug: "ash-travel-tripod",
      sku: "CAR-406",
      description:
        "Steam-bent ash legs soak up vibration better than metal does. Folds to 48 cm, carries 5 kg, ends in a 3/8 inch thread.",
      price: 26900,
      stock: 5,
      weightGrams: 1720,
      metadata: { material: "ash, aluminium", height: "142 cm" },
    },
    {
      name: "Woven Camera Sling",
      slug: "woven-camera-sling",
      sku: "CAR-407",
      description:
        "A soft band, 38 mm wide, woven in one piece with its eyelets. It slides over a coat and grips a shirt.",
      price: 3600,
      stock: null,
      weightGrams: 85,
      metadata: { material: "cotton, recycled polyester" },
      options: [
        { name: "Colour", values: ["Brick", "Moss", "Night"] },
        { name: "Length", values: ["100 cm", "125 cm"] },
      ],
      picturedBy: "Colour",
      variants: [
        { values: ["Brick", "100 cm"], stock: 15 },
        { values: ["Brick", "125 cm"], stock: 19 },
        { values: ["Moss", "100 cm"], stock: 0 },
        { values: ["Moss", "125 cm"], stock: 8 },
        { values: ["Night", "100 cm"], stock: 23, price: 2900, compareAtPrice: 3600 },
        { values: ["Night", "125 cm"], stock: 1, price: 2900, compareAtPrice: 3600 },
      ],
    },
  ],
  "Harbour & Pine",
);
