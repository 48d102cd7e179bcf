import type { Address } from "../../domain/address.ts";
import { addressLines } from "../../domain/address-lines.ts";

/** An address line by line, as on a parcel, with the phone for the carrier. */
export const linesOf = (address: Address): string[] =>
  address.phone ? [...addressLines(address), address.phone] : addressLines(address);

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
