/** Carriers' pages for a parcel, by the carrier's name and up to the tracking number. */
const trackingPages = {
  DHL: "https://www.dhl.de/de/privatkunden/pakete-empfangen/verfolgen.html?piececode=",
  "DHL Express": "https://www.dhl.com/global-en/home/tracking/tracking-express.html?submit=1&tracking-id=",
  DPD: "https://tracking.dpd.de/parcelstatus?query=",
  FedEx: "https://www.fedex.com/fedextrack/?trknbr=",
  GLS: "https://gls-group.eu/DE/de/paketverfolgung?match=",
  Hermes: "https://www.myhermes.de/empfangen/sendungsverfolgung/sendungsinformation#",
  "La Poste": "https://www.laposte.fr/outils/suivre-vos-envois?code=",
  "Royal Mail": "https://www.royalmail.com/track-your-item#/tracking-results/",
  UPS: "https://www.ups.com/track?tracknum=",
  USPS: "https://tools.usps.com/go/TrackConfirmAction?tLabels=",
};

/** Carriers whose tracking links are made from the number. */
export const knownCarriers = Object.keys(trackingPages);

type Parcel = { carrier: string; trackingNumber: string | null };

/** The carrier's page for a parcel. Null without a number, or if the carrier is unknown. */
export function trackingPageOf({ carrier, trackingNumber }: Parcel): string | null {
  const wanted = carrier.trim().toLowerCase();
  const [, page] = Object.entries(trackingPages).find(([name]) => name.toLowerCase() === wanted) ?? [];
  if (page === undefined || trackingNumber === null) return null;
  return page + encodeURIComponent(trackingNumber.replaceAll(/\s/g, ""));
}
