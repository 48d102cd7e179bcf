import { shelf } from "./shelf.ts";

export const synthKits = shelf({ name: "Synth Kits", slug: "synth-kits" }, "physical", [
  {
    name: "Drone Box Kit",
    slug: "drone-box-kit",
    sku: "SYN-201",
    description:
      "Six oscillators, one filter and a beech enclosure. A first kit: forty-one through-hole parts and about two hours of soldering.",
    price: 6900,
    stock: 26,
    metadata: { difficulty: "beginner", power: "9 V battery" },
  },
  {
    name: "Spring Reverb Kit",
    slug: "spring-reverb-kit",
    sku: "SYN-202",
    description:
      "A two-spring tank with its driver board, for the desk or a rack. Kick it gently and it answers with thunder.",
    price: 8400,
    stock: 14,
    weightGrams: 820,
    metadata: { difficulty: "intermediate", power: "12 V adapter" },
  },
  {
    name: "Eight-Step Sequencer Kit",
    slug: "eight-step-sequencer-kit",
    sku: "SYN-203",
    description:
      "Eight knobs, eight gates and a clock that can be patched. Speaks one volt per octave and sync pulses.",
    price: 9800,
    compareAtPrice: 11500,
    stock: 9,
    metadata: { difficulty: "intermediate", power: "9 V adapter" },
  },
  {
    name: "Light Theremin Kit",
    slug: "light-theremin-kit",
    sku: "SYN-204",
    description:
      "Two light sensors turn the shadow of a hand into pitch and volume. No soldering: the parts push into a small breadboard.",
    price: 3900,
    stock: 57,
    metadata: { difficulty: "first kit", age: "8 and up" },
  },
  {
    name: "Soldering Starter Set",
    slug: "soldering-starter-set",
    sku: "SYN-205",
    description:
      "A 60 W temperature-controlled iron, side cutters, lead-free solder, brass wool and a stand that stays put.",
    price: 4500,
    stock: 33,
    weightGrams: 1100,
    metadata: { plug: "EU" },
  },
  {
    name: "Patch Cables, Set of Ten",
    slug: "patch-cables-set-of-ten",
    sku: "SYN-206",
    description: "Mono 3.5 mm cables in five lengths from 15 to 90 cm, two of each, colour-coded by length.",
    price: 1890,
    stock: 140,
    metadata: { connector: "3.5 mm jack" },
  },
  {
    name: "Walnut Kalimba, 17 Keys",
    slug: "walnut-kalimba-17-keys",
    sku: "SYN-207",
    description:
      "A solid walnut thumb piano with hand-filed steel keys, tuned to C major. A contact microphone sits inside the body.",
    price: 5200,
    stock: 2,
    weightGrams: 430,
    metadata: { material: "walnut", tuning: "C major" },
  },
  {
    name: "Modular Case, 84 HP",
    slug: "modular-case-84-hp",
    sku: "SYN-208",
    status: "draft",
    description: "A birch plywood case with a quiet power supply and a lid that closes over patched cables.",
    price: 21900,
    stock: 4,
    metadata: { material: "birch plywood", width_hp: "84" },
  },
]);
