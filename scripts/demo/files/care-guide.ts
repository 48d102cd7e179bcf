import { leaflet } from "./leaflet.ts";

export const careGuide = () =>
  leaflet("Care Guide", [
    {
      title: "Care Guide",
      sections: [
        {
          heading: "Leather straps",
          lines: [
            "Wipe with a barely damp cloth. Let a soaked strap dry flat at room temperature, never on a radiator.",
            "Rub in a pea of neutral wax twice a year, and once more before a trip to the sea.",
            "Check the stitching at both ends before you hang more than 3 kg on it.",
          ],
        },
        {
          heading: "Waxed canvas",
          lines: [
            "Brush off dry mud; sponge the rest with cold water. Soap and machines take the wax out.",
            "When rain no longer beads, warm the cloth with a hair dryer and rub in fresh wax along the seams first.",
            "Air the bag open for a night before you store it.",
          ],
        },
        {
          heading: "Wool and fur",
          lines: [
            "Comb the windshield with a wide-toothed comb while it is dry, from the foam outwards.",
            "Wash wool wraps by hand at 30 °C with wool soap, roll them in a towel and dry them flat.",
          ],
        },
        {
          heading: "Wood",
          lines: [
            "Keep kalimbas and tripods out of parked cars: heat opens glue joints.",
            "A drop of linseed oil on a lint-free cloth once a year is enough. Hang the cloth outdoors to dry afterwards.",
          ],
        },
      ],
    },
    {
      title: "Tools and supplies",
      sections: [
        {
          heading: "Carving tools",
          lines: [
            "Strop before each session: five strokes a side, edge trailing.",
            "Wipe blades with camellia oil before they go back into the roll.",
          ],
        },
        {
          heading: "Brayers and ink",
          lines: [
            "Clean the roller with vegetable oil, then soap and water. Solvents make soft rubber swell.",
            "Never rest a brayer on its roller: the flat spot stays.",
            "Press a disc of greaseproof paper onto the ink before you close the tin.",
          ],
        },
        {
          heading: "Film and paper",
          lines: [
            "Keep unexposed film in the fridge, in its can, and let it warm up for an hour before you open it.",
            "Store photographic paper flat, below 20 °C, in its black bag.",
            "Handle washi and cotton paper with dry hands, and keep them out of direct sun.",
          ],
        },
        {
          heading: "Microphones and tape",
          lines: [
            "Rinse the hydrophone in fresh water after the sea and dry the plug before you connect it.",
            "Wind cables over and under, never around the elbow.",
            "Rewind cassettes before storing them, and stand them on edge away from loudspeakers.",
          ],
        },
      ],
    },
  ]);
