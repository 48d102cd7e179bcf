import { shelf } from "./shelf.ts";

export const fieldRecording = shelf(
  { name: "Field Recording", slug: "field-recording" },
  "physical",
  [
    {
      name: "Contact Microphone Pair",
      slug: "contact-microphone-pair",
      sku: "REC-101",
      description:
        "Two shielded piezo discs on three metres of cable each.\n\nClamp or tape them to:\n\n1. fences and pipes\n2. bridges\n3. guitar bodies\n\n**Never** to anything that carries mains voltage.",
      price: 3490,
      stock: 42,
      weightGrams: 140,
      metadata: { connector: "6.3 mm jack" },
    },
    {
      name: "Hydrophone H1",
      slug: "hydrophone-h1",
      sku: "REC-102",
      description:
        "An underwater microphone potted in polyurethane, good to 20 metres. Runs on plug-in power, so any pocket recorder will do.",
      price: 11900,
      stock: 3,
      weightGrams: 390,
      metadata: { connector: "3.5 mm jack", cable: "10 m" },
    },
    {
      name: "Lapel Omnis, Matched Pair",
      slug: "lapel-omnis-matched-pair",
      sku: "REC-103",
      description:
        "A pair of low-noise omni capsules, matched within 1 dB, for spaced stereo in the field. With clips and foam covers.",
      price: 8900,
      compareAtPrice: 10900,
      stock: 17,
      metadata: { connector: "3.5 mm jack", self_noise_dba: "14" },
    },
    {
      name: "Fur Windshield",
      slug: "fur-windshield",
      sku: "REC-104",
      description:
        "Long-pile fur over open-cell foam, sewn to fit handheld recorders up to 75 mm wide. Takes the rumble out of a stiff breeze.",
      price: 2490,
      stock: 64,
      weightGrams: 55,
      metadata: { colour: "charcoal" },
    },
    {
      name: "Braided XLR Cable, 3 m",
      slug: "braided-xlr-cable-3m",
      sku: "REC-105",
      description:
        "Star-quad cable in a cotton braid that does not rustle when it moves. Soldered by hand and tested twice.",
      price: 1990,
      stock: 120,
      weightGrams: 210,
      metadata: { length: "3 m" },
    },
    {
      name: "Cassette Field Recorder, Refurbished",
      slug: "cassette-field-recorder-refurbished",
      sku: "REC-106",
      description:
        "A three-head portable recorder from the eighties with new belts, a cleaned head block and calibrated speed. Six months' guarantee.",
      price: 18900,
      stock: 1,
      weightGrams: 1850,
      condition: "refurbished",
      metadata: { power: "4 x D cell" },
    },
    {
      name: "Blank Cassettes C60, Box of Five",
      slug: "blank-cassettes-c60-box-of-five",
      sku: "REC-107",
      description:
        "Ferric tape in clear five-screw shells, thirty minutes a side. Comes with blank card inlays to print on.",
      price: 1650,
      compareAtPrice: 1950,
      stock: 88,
      metadata: { tape: "ferric, type I", minutes: "60" },
    },
    {
      name: "Parabolic Dish, 40 cm",
      slug: "parabolic-dish-40cm",
      sku: "REC-108",
      status: "draft",
      description: "A clear polycarbonate dish with a sprung microphone mount, for birdsong at a distance.",
      price: 24900,
      stock: 6,
      weightGrams: 980,
      metadata: { diameter: "40 cm" },
    },
    {
      name: "Harbours at Night",
      slug: "harbours-at-night",
      sku: "REC-109",
      description:
        "Fog horns, halyards and the last ferry: an album of field recordings from eleven harbours between midnight and four.",
      price: 900,
      stock: null,
      metadata: { label: "Halftone & Hum", length: "42 min" },
      options: [{ name: "Format", values: ["Vinyl", "CD", "Cassette", "Download"] }],
      picturedBy: "Format",
      variants: [
        { values: ["Vinyl"], stock: 18, price: 2600, weightGrams: 320 },
        { values: ["CD"], stock: 55, price: 1400, weightGrams: 95 },
        { values: ["Cassette"], stock: 0, price: 1200, weightGrams: 80 },
        { values: ["Download"], stock: null, type: "digital", files: ["harbour-horns", "personal-licence"] },
      ],
    },
  ],
  "Northwave Audio",
);
