const FORMAT = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" });

export const Day = ({ at }: { at: string }) => <time datetime={at}>{FORMAT.format(new Date(at))}</time>;
