import { type Address, addressLines } from "../../domain/address.ts";

/** Formats an address line by line as on a parcel, with the phone number; in the order of `home` if it has no country. */
export const linesOf = (address: Address, home?: string | null): string[] =>
  [...addressLines(address, home), address.phone ?? ""].filter(Boolean);

/** Lines of text. */
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
