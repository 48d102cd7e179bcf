import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { inheritable, withdrawalRules } from "../../src/catalogue/products/tables.ts";
import { endedStatuses } from "../../src/checkout/orders/ended-statuses.ts";
import { withdrawalExemption } from "../../src/checkout/orders/returns/exemptions.ts";
import { moves } from "../../src/checkout/orders/transitions.ts";
import { limits } from "../../src/domain/limits.ts";
import { laterMethods, renewingMethods } from "../../src/domain/payment-methods.ts";
import { convertibleUnits } from "../../src/domain/unit-pricing.ts";
import { sortName } from "../../src/platform/db/columns.ts";
import { existsAny, storedAmounts } from "../../src/platform/db/currency.ts";
import { sqlList } from "../../src/platform/db/sql-list.ts";
import { backupGuards } from "./backup-guards.ts";
import { enumerationGuards } from "./enumerations.ts";
import type { Guard } from "./guard.ts";
import { remoteForm } from "./remote-form.ts";

const FILES = ["src/**/guards.sql", "src/**/*.guards.sql"];

const kinds = { TRIGGER: "trigger", VIEW: "view", "VIRTUAL TABLE": "table" } as const;

/** The guards of every feature, in order of their nouns. An empty line separates two guards and never occurs within one. */
export const guardsOfFiles = (): Guard[] =>
  globSync(FILES)
    .map((path) => ({ path, noun: nounOf(path) }))
    .sort((one, other) => (one.noun < other.noun ? -1 : 1))
    .flatMap(({ path, noun }) =>
      readFileSync(path, "utf8")
        .trim()
        .split(/\n{2,}/)
        .flatMap(ofEach)
        .map((text) => parseGuard(path, noun, withConstants(path, text))),
    );

/** Guards of one shape: below their comment, the line `-- Each: a, b` lists what takes the place of `${EACH}`. */
function ofEach(text: string): string[] {
  const [line = "", names] = /\n-- Each: (.+)/.exec(text) ?? [];
  return names?.split(", ").map((each) => text.replace(line, "").replaceAll(/\$\{EACH\}/g, each)) ?? [text];
}

/** `orders/guards.sql` has those of "orders", and `orders/order-items.guards.sql` those of "order-items". */
const nounOf = (path: string): string =>
  basename(path) === "guards.sql" ? basename(dirname(path)) : basename(path, ".guards.sql");

/** Files of a product are separate rows with their own triggers. */
const inherited = inheritable.filter((field) => field !== "file_ids");

/** Orders with equal values share an entry of the search. */
const searchKey = (row = ""): string =>
  [`customer_email`, `customer_name`, `shipping_address ->> 'address'`, `shipping_address`, `billing_address`]
    .map((value) => row + value)
    .join(", ");

/** The oldest order with the search key of a row. None if the row has neither a customer nor an address. */
const searchEntry = (row: string): string =>
  `SELECT min(id) FROM orders WHERE (${searchKey()}) IS (${searchKey(row)})
    AND coalesce(${["customer_email", "customer_name", "shipping_address", "billing_address"].map((column) => row + column).join(", ")}) IS NOT NULL`;

/** The name of an order line with the values of its variant: "Shirt (M / Blue)". */
const itemName = (row: string): string =>
  `${row}name || iif(${row}option_values = '[]', '', ' (' || (SELECT group_concat(value ->> 'value', ' / ') FROM json_each(${row}option_values)) || ')')`;

/** SQL that replaces each key of a table in a text. */
const replaced = (text: string, replacements: Record<string, string>): string =>
  Object.entries(replacements).reduce((sql, [from, to]) => `replace(${sql}, '${from}', '${to}')`, text);

const constants: Record<string, string | number> = {
  ...limits,
  SEARCH_KEY: searchKey(),
  OLD_SEARCH_KEY: searchKey("OLD."),
  NEW_SEARCH_KEY: searchKey("NEW."),
  SEARCH_ENTRIES: `${searchEntry("OLD.")} UNION ${searchEntry("NEW.")}`,
  ITEM_NAME: itemName("order_items."),
  NEW_ITEM_NAME: itemName("NEW."),
  PHONE_DIGITS: replaced("value", Object.fromEntries([..." +-/().·•"].map((character) => [character, ""]))),
  // Letters that the tokenizer of the index leaves as they are.
  FOLDED_VALUE: replaced("value", { ß: "ss", ø: "o", Ø: "O", æ: "ae", Æ: "Ae", ł: "l", Ł: "L" }),
  SORT_NAME_OF_CATEGORY: sortName("category.name"),
  SORT_NAME_OF_CHILD: sortName("child.name"),
  HAS_AMOUNTS: existsAny(storedAmounts),
  ENDED_STATUSES: sqlList(endedStatuses),
  LATER_METHODS: sqlList(laterMethods),
  RENEWING_METHODS: sqlList(renewingMethods),
  ORDER_MOVES: Object.entries(moves)
    .flatMap(([from, statuses]) => statuses.map((to) => `(${sqlList([from, to])})`))
    .join(", "),
  IS_UNIT_PRICING: `json_type(NEW.unit_pricing, '$.measure') = 'integer' AND json_type(NEW.unit_pricing, '$.reference') = 'integer'
    AND NEW.unit_pricing ->> 'measure' > 0 AND NEW.unit_pricing ->> 'reference' > 0
    AND (NEW.unit_pricing ->> 'unit', NEW.unit_pricing ->> 'referenceUnit') IN (VALUES ${convertibleUnits.map((pair) => `(${sqlList(pair)})`).join(", ")})`,
  EXEMPT_RULES: sqlList(withdrawalRules.filter((rule) => withdrawalExemption(rule) !== undefined)),
  INHERITED_COLUMNS: inherited.join(", "),
  INHERITED_VALUES: inherited
    .map((name) => `iif(instr(variant.inherits, '"${name}"'), parent.${name}, variant.${name}) AS ${name}`)
    .join(", "),
};

/** Replaces `${NAME}` by the number in src/domain/limits.ts, or by a list of the code. */
const withConstants = (path: string, text: string): string =>
  text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = constants[name];
    if (value === undefined) throw new Error(`${path}: neither src/domain/limits.ts nor the lists have ${name}`);
    return String(value);
  });

function parseGuard(path: string, noun: string, text: string): Guard {
  const [, comment, sql] = /^-- (.+)\n([^-][\s\S]*);$/.exec(text) ?? [];
  const [, what, name] = /^(?:CREATE (TRIGGER|VIEW|VIRTUAL TABLE)|INSERT INTO) (\w+)/.exec(sql ?? "") ?? [];
  if (!comment || !sql || !name) {
    throw new Error(`${path}: not one line of comment and a statement that ends with a semicolon:\n${text}`);
  }
  const kind = what ? kinds[what as keyof typeof kinds] : "rows";
  return { noun, kind, name, comment, sql };
}

/** All guards as migrations have them: those of the files, then the triggers of enumerations and backups. */
export const readGuards = (): Guard[] =>
  [...guardsOfFiles(), ...enumerationGuards(), ...backupGuards()].map((guard) =>
    guard.kind === "trigger" ? { ...guard, sql: remoteForm(guard.sql) } : guard,
  );
