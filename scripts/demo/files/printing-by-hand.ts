import { shopName } from "../catalogue.ts";
import { type Chapter, epub } from "../formats/epub.ts";
import { leaflet } from "./leaflet.ts";

const title = "Printing by Hand";

const chapters: Chapter[] = [
  {
    title: "The block",
    sections: [
      {
        heading: "Draw in reverse",
        lines: [
          "Trace the design onto thin paper, turn it over and rub it down. What faces left on the block faces right in print.",
          "Leave at least two millimetres between lines. Thinner walls crumble after a dozen prints.",
        ],
      },
      {
        heading: "Carve away from the hand",
        lines: [
          "Warm the lino on a radiator for five minutes. It cuts like cold butter and stops cracking.",
          "Begin with the smallest gouge along every outline, and clear the rest with the widest.",
          "Turn the block, not the wrist.",
        ],
      },
    ],
  },
  {
    title: "The print",
    sections: [
      {
        heading: "Ink thinly",
        lines: [
          "Roll out ink until it hisses. A slab that smacks has too much on it.",
          "Three thin coats cover better than a thick one, and keep fine lines open.",
        ],
      },
      {
        heading: "Press from the middle",
        lines: [
          "Lay the paper down from one edge, and rub in circles from the middle outwards.",
          "Lift a corner to check. Paper that still sticks to the rest can be laid back and rubbed again.",
        ],
      },
      {
        heading: "Sign and number",
        lines: ["Pencil below the image: the number on the left, the title in the middle, your name on the right."],
      },
    ],
  },
];

export const printingByHandPdf = () => leaflet(title, chapters);
export const printingByHandEpub = () => epub({ title, author: shopName, chapters });
