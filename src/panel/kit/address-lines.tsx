import type { Address } from "../../domain/address.ts";
import { countryName } from "./countries.ts";

/** An address line by line, as on a parcel. */
export const linesOf = ({ name, company, address, address2, zip, city, region, country, phone }: Address): string[] =>
  [
    ...[name, company, address, address2, `${zip} ${city}`],
    ...[[region, country && countryName(country)].filter(Boolean).join(", "), phone],
  ].filter((line): line is string => Boolean(line));

/** Lines of text below each other. */
export const Lines = ({ lines }: { lines: readonly string[] }) => (
  <>
    {lines.map((line, place) => (
      <>
        {place > 0 && <br />}
        {line}
      </>
    ))}
  </>
);
