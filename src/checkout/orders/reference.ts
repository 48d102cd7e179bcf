/** Crockford's base32, whose characters are not misread over the phone. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const inBlocks = (letters: string): string => letters.replace(/(.{4})(?=.)/g, "$1-");

/** Returns 60 random bits as XXXX-XXXX-XXXX. */
export const newOrderReference = (): string =>
  inBlocks(Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => ALPHABET[byte % ALPHABET.length]).join(""));

const AT_LEAST_A_BLOCK = new RegExp(`^[${ALPHABET}]{4,12}$`);

/**
 * Normalizes a typed order reference or its start, with or without hyphens. Returns null if it is invalid or too short.
 */
export function orderReferencePrefix(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return AT_LEAST_A_BLOCK.test(letters) ? inBlocks(letters) : null;
}
