// Parts of the names and texts of the benchmark's products: 8 categories with four parents, 3 tags, 32 adjectives, 32
// nouns, 8 phrases.

export const words = {
  categories: ["Field Recording", "Synth Kits", "Film", "Camera Bags", "Paper", "Printmaking", "Library", "Workshops"],
  parents: ["Studio", "Audio", "Photo", "Print"],
  below: {
    Studio: ["Audio", "Photo"],
    Audio: ["Field Recording", "Synth Kits"],
    Photo: ["Film", "Camera Bags"],
    Print: ["Paper", "Printmaking"],
  },
  tags: ["Gift", "Sale", "Handmade"],
  adjectives: (
    "Amber Ashen Birch Brass Brisk Calm Canvas Cedar Cobalt Coral Dusty Ember Fern Flint Gilded Hazel " +
    "Indigo Ivory Linen Lunar Maple Mossy Ochre Opal Quiet Rustic Sable Silver Stone Velvet Walnut Winter"
  ).split(" "),
  nouns: (
    "Album Apron Brush Cable Camera Case Chisel Clamp Compass Easel Filter Folio Frame Guide Inkpad Journal " +
    "Kit Lamp Lens Mixer Notebook Palette Pencil Poster Press Recorder Roller Satchel Sketchbook Stand Strap Tripod"
  ).split(" "),
  phrases: [
    " for everyday work, made in small batches and checked by hand before it leaves the workshop.",
    " that travels well: light, sturdy and repaired by us for as long as you own it.",
    " with a finish that gets better by use. Comes with a care guide and a spare part.",
    " chosen by people who do this for a living, and priced for people who start.",
    " of recycled material, packed without plastic and sent within two working days.",
    " that fits every stand, bag and drawer of this shop, and most of those you have.",
    " in the size that was asked for most often; a larger one is on its way.",
    " with clear instructions in four languages and a number to call when they are not.",
  ],
};
