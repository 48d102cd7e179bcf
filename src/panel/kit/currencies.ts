import { currencies } from "../../domain/money.ts";
import type { Options } from "../../platform/administration/fields.ts";
import { byName } from "./countries.ts";

/** Name and code of a currency: "Euro (EUR)". */
export const currencyName = (code: string): string =>
  `${new Intl.DisplayNames("en", { type: "currency" }).of(code)} (${code})`;

/** All currencies by name, with the chosen one, which the deployment may have named by another code. */
export const currencyOptions = (...chosen: string[]): Options =>
  [...new Set([...chosen, ...currencies])]
    .map((code): [string, string] => [code, currencyName(code)])
    .sort(([, one], [, other]) => byName(one, other));
