import { conflict } from "../../domain/errors.ts";
import { rememberCurrency } from "../../domain/money.ts";
import type { LimitedDatabase } from "./d1-limits.ts";
import { violates } from "./statements.ts";

// The shop's currency is stored with its settings. Amounts are stored in its minor units, so it cannot change once there are any
// (src/back-office/shop/guards.sql). An isolate keeps it for life once a row exists that is never deleted. Until then it is read for
// each request, and the writes of the request are refused if it has changed since.

/** Statements that find amounts in rows that are never deleted, by the name of these rows. */
const lastingAmounts = {
  orders: "SELECT 1 FROM orders",
  payments: "SELECT 1 FROM transactions",
  "gift cards": "SELECT 1 FROM gift_cards",
};

/** Statements that find all amounts in the currency's minor units. Rows that belong to a product or an order exist with it only. */
export const storedAmounts: Readonly<Record<string, string>> = {
  ...lastingAmounts,
  products: "SELECT 1 FROM products",
  discounts: "SELECT 1 FROM discounts WHERE coalesce(amount, minimum_subtotal) IS NOT NULL",
  "shipping methods": "SELECT 1 FROM shipping_methods",
  "draft orders": "SELECT 1 FROM draft_orders",
  "checkouts of shopping assistants": "SELECT 1 FROM checkout_sessions",
};

/** True for amounts that stay, whatever staff delete. */
export const isLasting = (name: string): boolean => name in lastingAmounts;

/** A condition that holds if any of the statements finds a row. */
export const existsAny = (statements: Readonly<Record<string, string>>): string =>
  `(${Object.values(statements)
    .map((statement) => `EXISTS (${statement})`)
    .join(" OR ")})`;

const CURRENCY = "(SELECT currency FROM shop)";
const READ = `SELECT ${CURRENCY} AS currency, ${existsAny(lastingAmounts)} AS isFinal`;

/** The violation of `preconditions` if the currency is not the one that was read. */
const FENCE = `INSERT INTO preconditions (holds) SELECT ${CURRENCY} IS ?`;

/** The saved currency as it was read. Null if none is saved. */
type CurrencyState = { currency: string | null };

let isFinal = false;

/** The isolate's currency. Each change makes a new object, by which a request notices that another one read a change. */
let current: CurrencyState = { currency: null };

/** Sets the isolate's currency, and whether it is final, as reading them from the database does. */
export function setCurrency(currency: string | null, final: boolean): void {
  if (currency !== current.currency) current = { currency };
  rememberCurrency(currency);
  isFinal = final;
}

/** Reads the shop's currency unless it is final. Returns what to refuse writes by, or null if it cannot change any more. */
export async function readCurrency(database: D1Database | D1DatabaseSession): Promise<CurrencyState | null> {
  if (isFinal) return null;
  const row = await database.prepare(READ).first<{ currency: string | null; isFinal: number }>();
  // Another request may have read the final one meanwhile.
  if (!isFinal) setCurrency(row?.currency ?? null, row?.isFinal === 1);
  return isFinal ? null : current;
}

const currencyChanged = () =>
  conflict("changed_meanwhile", "The shop's currency was changed at the same time. Check all amounts and try again");

/** A database that refuses writes once the currency has changed since it was read, because their amounts are in its units. */
export function fenced(database: LimitedDatabase, read: CurrencyState): LimitedDatabase {
  async function batch<Row>(statements: D1PreparedStatement[]): Promise<D1Result<Row>[]> {
    if (read !== current) throw currencyChanged();
    const fence = database.prepare(FENCE).bind(read.currency);
    try {
      return (await database.batch<Row>([fence, ...statements])).slice(1);
    } catch (error) {
      if (!violates(error, "row_changed")) throw error;
      const now = await database.prepare(`SELECT ${CURRENCY} AS currency`).first("currency");
      throw now === read.currency ? error : currencyChanged();
    }
  }

  /** Runs a single statement as a batch. */
  function alone(statement: D1PreparedStatement): D1PreparedStatement {
    async function run<Row>(): Promise<D1Result<Row>> {
      const [result] = await batch<Row>([statement]);
      if (!result) throw new Error("The database did not answer");
      return result;
    }
    const raw = async () => (await run<object>()).results.map(Object.values);
    return Object.assign(statement, { run, all: run, raw });
  }

  return {
    ...database,
    exec: (query) => database.exec(query),
    dump: () => database.dump(),
    withSession: (start) => database.withSession(start),
    batch,
    prepare(query) {
      const prepared = database.prepare(query);
      if (/^\s*select\b/i.test(query)) return prepared;
      const { bind } = prepared;
      return Object.assign(alone(prepared), { bind: (...values: unknown[]) => alone(bind(...values)) });
    },
  };
}
