import { numberIn } from "../reading/numbers.ts";
import type { Cells, Columns } from "../third-party/columns.ts";
import { textOfHtml } from "../third-party/html-text.ts";
import { isTrue, numberOrNull } from "../third-party/values.ts";
import { gramsOf, linesIn } from "./cells.ts";
import type { WooColumn } from "./names.ts";

export type WooCells = Cells<WooColumn>;

/** A file is sold as one, anything else that is not sent as a service. */
export function typeFields(types: readonly string[]) {
  const isVirtual = types.includes("virtual");
  const type = types.includes("downloadable") ? "digital" : isVirtual ? "service" : "physical";
  return { type, requires_shipping: !isVirtual } as const;
}

/** Private products and those hidden in the catalogue become drafts. */
export function statusOf(cells: WooCells): "active" | "draft" | undefined {
  const published = cells("published");
  if (published === undefined) return undefined;
  return isTrue(published) && cells("visibility")?.toLowerCase() !== "hidden" ? "active" : "draft";
}

/** Puts the short description above the long one. */
export function descriptionOf(cells: WooCells): string | undefined {
  const parts = [cells("shortDescription"), cells("description")];
  if (parts.every((part) => part === undefined)) return undefined;
  return parts
    .map((part) => textOfHtml(linesIn(part ?? "")))
    .filter((part) => part !== "")
    .join("\n\n");
}

const TAX_CLASSES: ReadonlyMap<string, string> = new Map([
  ["", "standard"],
  ["standard", "standard"],
  ["reduced-rate", "reduced"],
  ["zero-rate", "zero"],
]);

/** The tax class, undefined of one that this shop does not have. A variation's "parent" is its parent's. */
export function taxClassOf(cells: WooCells, parent: string | undefined): string | undefined {
  const [status, name] = [cells("taxStatus") ?? "taxable", cells("taxClass") ?? ""].map((cell) => cell.toLowerCase());
  if (status === "none" || status === "shipping") return "exempt";
  return name === "parent" ? parent : TAX_CLASSES.get((name ?? "").replaceAll(/\s+/g, "-"));
}

/** Grams, whatever unit the shop has. */
export function weightOf(columns: Columns<WooColumn>, cells: WooCells): number | string | null {
  const weight = numberOrNull(cells("weight") ?? "");
  return typeof weight === "number" ? Math.round(weight * gramsOf(columns.nameOf("weight") ?? "")) : weight;
}

/** Parses a download limit. -1 means unlimited. */
export function limitIn(cell: string | undefined): number | string | null {
  const limit = numberIn(cell ?? "");
  return limit === "" || (typeof limit === "number" && limit <= 0) ? null : limit;
}
