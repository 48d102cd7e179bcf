const inUtc = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** A moment for readers whose time zone is not known. */
export const formatMoment = (at: number): string => `${inUtc.format(at)} UTC`;
