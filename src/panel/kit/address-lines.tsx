import { type Address, addressLines } from "../../domain/address.ts";

/** An address line by line, as on a parcel, with the phone for the carrier; in the order of `home` if it names no country. */
export const linesOf = (address: Address, home?: string | null): string[] =>
  [...addressLines(address, home), address.phone ?? ""].filter(Boolean);

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
