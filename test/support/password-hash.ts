import { scryptSync } from "node:crypto";

/** A hash stored with other parameters, created independently of the code under test. */
export function hashOf(password: string, { ln, r, p }: { ln: number; r: number; p: number }): string {
  const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
  const salt = Buffer.from("sixteen bytes :)");
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(scryptSync(password, salt, 32, { N: 2 ** ln, r, p }))}`;
}
