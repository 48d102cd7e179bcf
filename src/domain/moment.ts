const inUtc = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** A moment for readers in an unknown time zone. */
export const formatMoment = (at: number): string => `${inUtc.format(at)} UTC`;
