import { shelf } from "./shelf.ts";

export const paperNotebooks = shelf(
  { name: "Paper & Notebooks", slug: "paper-notebooks" },
  "physical",
  [
    {
      name: "Open-Spine Notebook A5, Dot Grid",
      slug: "open-spine-notebook-a5-dot-grid",
      sku: "PAP-501",
      description:
        "160 pages of 100 gsm paper, thread-sewn with the spine left bare so that it opens flat at every page.",
      price: 1890,
      stock: 132,
      metadata: { pages: "160", weight_gsm: "100" },
    },
    {
      name: "Sketchbook A4, Cold Pressed",
      slug: "sketchbook-a4-cold-pressed",
      sku: "PAP-502",
      description:
        "Forty sheets of 200 gsm cotton blend with enough tooth for charcoal and enough size for a light wash.",
      price: 2950,
      stock: 40,
      metadata: { sheets: "40", weight_gsm: "200" },
    },
    {
      name: "Pocket Notebooks, Set of Three",
      slug: "pocket-notebooks-set-of-three",
      sku: "PAP-503",
      description:
        "Plain, lined and squared, 48 pages each, in covers printed from leftover ink. No two sets are quite alike.",
      price: 1250,
      compareAtPrice: 1500,
      stock: 85,
      metadata: { size: "9 x 14 cm", pages: "48" },
    },
    {
      name: "Manuscript Book, 12 Staves",
      slug: "manuscript-book-12-staves",
      sku: "PAP-504",
      description:
        "Music paper on a warm white stock that takes ink, pencil and an eraser. 96 pages, upright, stitched.",
      price: 1690,
      stock: 29,
      metadata: { pages: "96", staves: "12" },
    },
    {
      name: "Cotton Envelopes C6, Pack of 25",
      slug: "cotton-envelopes-c6-pack-of-25",
      sku: "PAP-505",
      description: "Deckle-edged envelopes of pure cotton rag with a gummed pointed flap.",
      price: 1490,
      stock: 61,
      metadata: { material: "cotton rag", weight_gsm: "110" },
    },
    {
      name: "Indigo Washi, Five Sheets",
      slug: "indigo-washi-five-sheets",
      sku: "PAP-506",
      description:
        "Kozo paper dipped by hand in natural indigo, five depths from pale sky to midnight. Each sheet is 45 x 60 cm.",
      price: 3800,
      stock: 1,
      metadata: { material: "kozo", size: "45 x 60 cm" },
    },
    {
      name: "Bookbinding Starter Kit",
      slug: "bookbinding-starter-kit",
      sku: "PAP-507",
      description:
        "An awl, a bone folder, needles, waxed linen thread, board and cloth for two A5 books, with a sixteen-page guide to sewing them.",
      price: 3400,
      stock: 19,
      weightGrams: 690,
      metadata: { difficulty: "beginner" },
    },
    {
      name: "Printing by Hand",
      slug: "printing-by-hand",
      sku: "PAP-508",
      description:
        "From the first line on the block to the signature below the print, with forty exercises. By the people who run our workshops.",
      price: 1600,
      stock: null,
      metadata: { pages: "168", language: "en" },
      options: [{ name: "Format", values: ["Hardcover", "Paperback", "PDF", "EPUB"] }],
      variants: [
        { values: ["Hardcover"], stock: 11, price: 3400, weightGrams: 720 },
        { values: ["Paperback"], stock: 38, price: 2200, compareAtPrice: 2600, weightGrams: 480 },
        { values: ["PDF"], stock: null, type: "digital", files: ["printing-by-hand-pdf"] },
        { values: ["EPUB"], stock: null, type: "digital", files: ["printing-by-hand-epub"] },
      ],
    },
    {
      name: "Linen Journal",
      slug: "linen-journal",
      sku: "PAP-509",
      description: "Cloth-bound and thread-sewn, with rounded corners, a ribbon and a pocket inside the back cover.",
      price: 1400,
      stock: null,
      metadata: { pages: "192", weight_gsm: "90" },
      options: [
        { name: "Size", values: ["A6", "A5", "B5"] },
        { name: "Paper", values: ["Plain", "Ruled", "Dot grid"] },
      ],
      variants: [
        { values: ["A6", "Plain"], stock: 26, weightGrams: 160 },
        { values: ["A6", "Ruled"], stock: 44, weightGrams: 160 },
        { values: ["A6", "Dot grid"], stock: 5, weightGrams: 160 },
        { values: ["A5", "Plain"], stock: 33, price: 1900, weightGrams: 290 },
        { values: ["A5", "Ruled"], stock: 0, price: 1900, weightGrams: 290 },
        { values: ["A5", "Dot grid"], stock: 61, price: 1900, weightGrams: 290 },
        { values: ["B5", "Plain"], stock: 7, price: 2300, compareAtPrice: 2700, weightGrams: 430 },
        { values: ["B5", "Dot grid"], stock: 12, price: 2300, compareAtPrice: 2700, weightGrams: 430 },
      ],
    },
  ],
  "Inkwell Press",
);
