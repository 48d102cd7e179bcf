import { cardboardDrums } from "./files/cardboard-drums.ts";
import { careGuide } from "./files/care-guide.ts";
import { developingTimes } from "./files/developing-times.ts";
import { filmLooks } from "./files/film-looks.ts";
import { harbourHorns } from "./files/harbour-horns.ts";
import { licencesAtAGlance, personalLicence, studioLicence } from "./files/licences.ts";
import { poster } from "./files/poster.ts";
import { printingByHandEpub, printingByHandPdf } from "./files/printing-by-hand.ts";
import { rainLoop } from "./files/rain-loop.ts";
import { smallDarkroom } from "./files/small-darkroom.ts";
import { wavePattern } from "./files/wave-pattern.ts";
import type { DemoFile } from "./types.ts";

export const files: DemoFile[] = [
  {
    key: "licences-at-a-glance",
    name: "Licences at a Glance",
    description: "What the personal and the studio licence allow, side by side.",
    fileName: "licences-at-a-glance.txt",
    mimeType: "text/plain",
    access: "public",
    bytes: licencesAtAGlance,
  },
  {
    key: "care-guide",
    name: "Care Guide",
    description: "How to look after leather, canvas, wood, tools and film. Two pages.",
    fileName: "care-guide.pdf",
    mimeType: "application/pdf",
    access: "public",
    bytes: careGuide,
  },
  {
    key: "evening-poster",
    name: "Evening Hills Poster",
    description: "A poster for every account, 1200 x 800 pixels.",
    fileName: "evening-hills.png",
    mimeType: "image/png",
    access: "authenticated",
    bytes: poster,
  },
  {
    key: "developing-times",
    name: "Developing Times",
    description: "Times for Grain 100 and Grain 400 by speed, dilution and temperature.",
    fileName: "developing-times.csv",
    mimeType: "text/csv",
    access: "authenticated",
    bytes: developingTimes,
  },
  {
    key: "personal-licence",
    name: "Personal Licence",
    description: "For one person's own projects.",
    fileName: "personal-licence.txt",
    mimeType: "text/plain",
    access: "package",
    bytes: personalLicence,
  },
  {
    key: "studio-licence",
    name: "Studio Licence",
    description: "For paid work by a team of up to ten.",
    fileName: "studio-licence.txt",
    mimeType: "text/plain",
    access: "package",
    bytes: studioLicence,
  },
  {
    key: "rain-loop",
    name: "Rain on a Tin Roof",
    description: "A seamless loop of 48 seconds; stereo, 16-bit, 44.1 kHz.",
    fileName: "rain-on-a-tin-roof.wav",
    mimeType: "audio/wav",
    access: "package",
    bytes: rainLoop,
  },
  {
    key: "cardboard-drums",
    name: "Cardboard Drums",
    description: "Five one-shots as mono WAV files.",
    fileName: "cardboard-drums.zip",
    mimeType: "application/zip",
    access: "package",
    bytes: cardboardDrums,
  },
  {
    key: "film-looks",
    name: "Eight Film Looks",
    description: "Curves, grain and tints of four colour and four black-and-white looks.",
    fileName: "eight-film-looks.json",
    mimeType: "application/json",
    access: "package",
    bytes: filmLooks,
  },
  {
    key: "small-darkroom",
    name: "The Small Darkroom",
    description: "Developing and printing at home. Three pages.",
    fileName: "the-small-darkroom.pdf",
    mimeType: "application/pdf",
    access: "package",
    bytes: smallDarkroom,
  },
  {
    key: "wave-pattern",
    name: "Seigaiha Wave Pattern",
    description: "A vector tile that repeats on all sides.",
    fileName: "seigaiha-waves.svg",
    mimeType: "image/svg+xml",
    access: "package",
    bytes: wavePattern,
  },
  {
    key: "harbour-horns",
    name: "Harbours at Night",
    description: "The record as a recording: mono, 16-bit, 44.1 kHz.",
    fileName: "harbours-at-night.wav",
    mimeType: "audio/wav",
    access: "package",
    bytes: harbourHorns,
  },
  {
    key: "printing-by-hand-pdf",
    name: "Printing by Hand, PDF",
    description: "Carving and printing lino, for screens and printers.",
    fileName: "printing-by-hand.pdf",
    mimeType: "application/pdf",
    access: "package",
    bytes: printingByHandPdf,
  },
  {
    key: "printing-by-hand-epub",
    name: "Printing by Hand, EPUB",
    description: "Carving and printing lino, for e-readers.",
    fileName: "printing-by-hand.epub",
    mimeType: "application/epub+zip",
    access: "package",
    bytes: printingByHandEpub,
  },
];
