import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { FOLDER, migrationFiles } from "./migrations.ts";

/** The migrations of each release with their SHA-256 in hexadecimal. `npm run release` writes the file. */
export type ReleasedMigrations = Record<string, Record<string, string>>;

export const RELEASED = join(FOLDER, "released.json");

export const readReleased = (): ReleasedMigrations =>
  existsSync(RELEASED) ? JSON.parse(readFileSync(RELEASED, "utf8")) : {};

/** The release of each released migration, by its file name. */
export const releaseOfMigration = (released = readReleased()): Map<string, string> =>
  new Map(
    Object.entries(released).flatMap(([version, files]) =>
      Object.keys(files).map((file): [string, string] => [file, version]),
    ),
  );

export const checksum = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

/** Errors for released migrations that were changed or removed, and for others that come before them. */
export function changedReleases(files = migrationFiles(), released = readReleased()): string[] {
  const paths = new Map(files.map((path) => [basename(path), path]));
  const sums = Object.values(released).flatMap((migrations) => Object.entries(migrations));
  const last =
    sums
      .map(([file]) => file)
      .sort()
      .at(-1) ?? "";
  const known = new Set(sums.map(([file]) => file));
  return [
    ...sums.flatMap(([file, sum]) => {
      const path = paths.get(file);
      if (path && checksum(path) === sum) return [];
      return [
        `${FOLDER}/${file} is released and ${path ? "was changed" : "is missing"}. Restore it and add a migration.`,
      ];
    }),
    ...[...paths.keys()]
      .filter((file) => !known.has(file) && file < last)
      .map((file) => `${FOLDER}/${file} comes before ${last}, which is released. Give it a higher number.`),
  ];
}
