import { randomBytes } from "node:crypto";
import * as z from "zod";
import { ApiError } from "./errors.ts";

const words = "must be lower-case letters and digits with hyphens between them";

/** What names a row in an address. */
export const Slug = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, words);

/** The slug of a name: "Café Crème, 200g" becomes "cafe-creme-200g". */
export function slugOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const slug = (plain.match(/[a-z0-9]+/g) ?? []).join("-").slice(0, 80).replace(/-$/, "");
  return slug || suffix();
}

/** A slug with a random suffix, for a name whose slug another row has already. */
export const slugWithSuffix = (slug: string): string => `${slug}-${suffix()}`;

const suffix = (): string => randomBytes(4).toString("hex");

/** Writes a row under a slug that was made from its name, or under another one if that was taken in the same instant. */
export async function withUniqueSlug<Row>(slug: string, write: (slug: string) => Promise<Row>): Promise<Row> {
  try {
    return await write(slug);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "slug_taken")) throw error;
    return write(slugWithSuffix(slug));
  }
}
