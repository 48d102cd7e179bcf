const names = new Intl.DisplayNames("en", { type: "region" });

/** A country as people call it. */
export const countryName = (code: string): string => names.of(code) ?? code;
