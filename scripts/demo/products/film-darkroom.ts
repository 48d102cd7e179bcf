import { shelf } from "./shelf.ts";

export const filmDarkroom = shelf({ name: "Film & Darkroom", slug: "film-darkroom" }, "physical", [
  {
    name: "Grain 400 Film, 35 mm",
    slug: "grain-400-film-35mm",
    sku: "FLM-301",
    description:
      "A forgiving black-and-white film with open shadows and honest grain. Thirty-six exposures, pushes to 1600.",
    price: 1150,
    stock: 210,
    metadata: { iso: "400", exposures: "36" },
  },
  {
    name: "Grain 100 Film, 120",
    slug: "grain-100-film-120",
    sku: "FLM-302",
    description: "Fine-grained black-and-white roll film for medium format, with a long, smooth scale of greys.",
    price: 1090,
    stock: 96,
    metadata: { iso: "100", format: "120" },
  },
  {
    name: "Half-Frame Camera",
    slug: "half-frame-camera",
    sku: "FLM-303",
    description:
      "Seventy-two upright pictures on one roll of 35 mm film. Fixed focus, a coated 22 mm glass lens and a flash with a switch of its own.",
    price: 8900,
    compareAtPrice: 9900,
    stock: 12,
    weightGrams: 115,
    metadata: { colour: "sand" },
  },
  {
    name: "Pinhole Camera Kit",
    slug: "pinhole-camera-kit",
    sku: "FLM-304",
    description:
      "A laser-cut birch camera for 120 film that goes together with glue and patience. The 0.25 mm pinhole is etched in brass.",
    price: 4200,
    stock: 3,
    metadata: { material: "birch plywood, brass", format: "120, 6 x 6 cm" },
  },
  {
    name: "Two-Reel Developing Tank",
    slug: "two-reel-developing-tank",
    sku: "FLM-305",
    description:
      "A light-tight tank with two wide-flange reels that load without a fight. Holds two 35 mm films or one of 120.",
    price: 3890,
    stock: 24,
    weightGrams: 360,
    metadata: { volume: "580 ml" },
  },
  {
    name: "Fibre Base Paper, 24 x 30 cm",
    slug: "fibre-base-paper-24x30cm",
    sku: "FLM-306",
    description: "Variable-contrast baryta paper with a glossy surface that dries to a soft sheen. Twenty-five sheets.",
    price: 4290,
    stock: 18,
    metadata: { sheets: "25", weight_gsm: "255" },
  },
  {
    name: "LED Safelight, Red",
    slug: "led-safelight-red",
    sku: "FLM-307",
    description: "A dimmable 625 nm lamp on a clamp, safe for ordinary black-and-white papers from one metre away.",
    price: 4650,
    stock: 0,
    metadata: { wavelength_nm: "625", power: "USB-C" },
  },
  {
    name: "Negative Sleeves, 50 Sheets",
    slug: "negative-sleeves-50-sheets",
    sku: "FLM-308",
    description: "Acid-free glassine sheets for seven strips of six frames, punched for a ring binder.",
    price: 1690,
    stock: 75,
    metadata: { material: "glassine", format: "35 mm" },
  },
]);
