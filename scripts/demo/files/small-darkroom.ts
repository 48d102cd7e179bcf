import { leaflet } from "./leaflet.ts";

export const smallDarkroom = () =>
  leaflet("The Small Darkroom", [
    {
      title: "The Small Darkroom",
      sections: [
        {
          heading: "You need less than you think",
          lines: [
            "A kitchen sink, a bathroom without a window and an evening are enough for a first film and its first prints.",
            "Total darkness matters for three minutes only: while the film goes from its can into the tank.",
            "A changing bag under a blanket will do. Wash and dry your hands first; fingerprints develop too.",
          ],
        },
        {
          heading: "Shopping list",
          lines: [
            "A two-reel developing tank, a thermometer that can tell 19 °C from 20 °C, and a measuring jug.",
            "Developer, fixer and a drop of wetting agent. Tap water makes a good stop bath for film.",
            "Two clothes pegs, one of them heavy, and a dust-free place to hang 1.6 m of film.",
          ],
        },
        {
          heading: "Before you start",
          lines: [
            "Practise loading a ruined roll in the light, then with closed eyes, then in the dark.",
            "Bring all baths to 20 °C and set them out from left to right in the order of use.",
          ],
        },
      ],
    },
    {
      title: "From roll to print",
      sections: [
        {
          heading: "Developing, about thirty minutes",
          lines: [
            "Developer at 20 °C: Grain 400 takes 9:30 at 1+25. Invert for 30 seconds, then 5 in every 30.",
            "Pour out, rinse with two changes of water, pour in the fixer and leave it for 5 minutes.",
            "Wash: fill the tank and invert 5 times, refill and invert 10 times, refill and invert 20 times.",
            "Add the wetting agent, wait a minute, hang up the film and keep everyone out of the room.",
          ],
        },
        {
          heading: "Contact sheet",
          lines: [
            "Lay the negatives on the paper, shiny side up, under a clean sheet of glass.",
            "Expose in five steps of two seconds. The right step is the first in which the film edge turns black.",
          ],
        },
        {
          heading: "The print",
          lines: [
            "Choose a frame with a plain light tone in it. Time the exposure for the lights, pick the contrast for the darks.",
            "Develop for the full two minutes even if it looks too dark: a print pulled early is muddy.",
            "Judge it dry, next morning, by a window.",
          ],
        },
      ],
    },
    {
      title: "What goes wrong",
      sections: [
        {
          heading: "On film",
          lines: [
            "Clear film with clear edges: the fixer went in first. It happens once to everybody.",
            "Clear film with black frame numbers: the film never moved through the camera.",
            "Pale half-moons: the film was kinked while it was loaded.",
            "Milky patches: fix for another five minutes in fresh fixer, in the light if need be.",
          ],
        },
        {
          heading: "On paper",
          lines: [
            "Grey borders: light is leaking in, or the safelight stands too near. Test with a coin on a sheet for five minutes.",
            "Flat and grey all over: exposed too long and developed too briefly. Halve the one, double the other.",
            "White specks: dust on the negative. A soft brush before each print saves an hour of spotting.",
          ],
        },
        {
          heading: "Leave no trace",
          lines: [
            "Collect used fixer and hand it in: it holds the silver of every picture you made.",
            "Rinse the tank, reels and jug with warm water and let them dry fully. A damp reel will not load.",
          ],
        },
      ],
    },
  ]);
