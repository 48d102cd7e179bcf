import { shelf } from "./shelf.ts";

export const workshopsRepairs = shelf({ name: "Workshops & Repairs", slug: "workshops-repairs" }, "service", [
  {
    name: "Recording Consultation, One Hour",
    slug: "recording-consultation-one-hour",
    sku: "SVC-801",
    description:
      "An hour by video call with a field recordist: microphones, levels, permissions, or a listen to what you have.",
    price: 7500,
    stock: null,
    metadata: { place: "online", minutes: "60" },
  },
  {
    name: "Camera Clean & Service",
    slug: "camera-clean-and-service",
    sku: "SVC-802",
    description:
      "New light seals, shutter timing, lens and viewfinder cleaned. Drop it off at the shop and collect it ten days later.",
    price: 8900,
    stock: null,
    metadata: { place: "shop", days: "10" },
  },
  {
    name: "Tape Machine Assessment",
    slug: "tape-machine-assessment",
    sku: "SVC-803",
    description:
      "We open the machine, measure it and write you an estimate. The fee comes off the bill if we do the repair.",
    price: 3500,
    stock: null,
    metadata: { place: "shop", days: "5" },
  },
  {
    name: "Lino Printing Workshop, One Seat",
    slug: "lino-printing-workshop-one-seat",
    sku: "SVC-804",
    description:
      "Carve, ink and print an A5 edition of ten on the first Saturday of the month. Tools, paper and tea included.",
    price: 6800,
    stock: 8,
    metadata: { place: "studio", hours: "4", level: "beginner" },
  },
  {
    name: "First Darkroom Day, One Seat",
    slug: "first-darkroom-day-one-seat",
    sku: "SVC-805",
    description:
      "From a roll of film in the morning to three fibre prints in the evening. Four people at most; bring one exposed roll.",
    price: 14500,
    stock: 2,
    metadata: { place: "darkroom", hours: "7", level: "beginner" },
  },
  {
    name: "Soldering Evening, One Seat",
    slug: "soldering-evening-one-seat",
    sku: "SVC-806",
    description:
      "Build a Drone Box in company, with irons, help and a mixing desk to plug it into. The kit is included.",
    price: 9900,
    compareAtPrice: 11500,
    stock: 12,
    metadata: { place: "studio", hours: "3", level: "beginner" },
  },
  {
    name: "Bookbinding Weekend, One Seat",
    slug: "bookbinding-weekend-one-seat",
    sku: "SVC-807",
    status: "draft",
    description: "Two days, three bindings: a pamphlet, an open spine and a case-bound book.",
    price: 18500,
    stock: 6,
    metadata: { place: "studio", hours: "12", level: "intermediate" },
  },
]);
