import { hashSecret } from "../../../platform/auth/secrets.ts";

const CODES = 10;

/** Crockford's: no letter that is easily taken for a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const CHARACTERS = 16;

/** Ten new codes of 80 bits, such as `7k2m-x9ab-…`, which are shown once. */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode);

function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CHARACTERS));
  const text = Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
  return text.replace(/(.{4})(?=.)/g, "$1-");
}

/** What is stored of a code. 80 random bits need no slow hash; how it is typed does not matter. */
export const hashRecoveryCode = (code: string): string => hashSecret(code.toLowerCase().replaceAll(/[\s-]/g, ""));
