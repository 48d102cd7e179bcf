import { type SQL, sql } from "drizzle-orm";
import { conflict, fieldError } from "../../domain/errors.ts";
import { formatAmount, toDecimal } from "../../domain/money.ts";
import type { Author } from "../auth/author.ts";

/** The statements that count `amount`, minor units, against what the author may move in 24 hours; the database refuses more. */
export const countSpending = ({ actor, spendingLimit, now }: Author, amount: number): SQL[] =>
  spendingLimit === undefined
    ? []
    : [
        sql`INSERT INTO staff_spending (actor, amount, day_limit, created_at)
          VALUES (${actor}, ${Math.abs(amount)}, ${spendingLimit}, ${now})`,
      ];

/** The refusal of a batch with such statements. */
export const spendingRefused = ({ spendingLimit = 0 }: Author) => ({
  staff_spending_limit() {
    const words = `is more than you may still move: ${formatAmount(spendingLimit)} in any 24 hours`;
    const message = `This ${words}. An administrator can do it`;
    return conflict(
      "spending_limit",
      message,
      fieldError("amount", "spending_limit", words, { limit: toDecimal(spendingLimit) }),
    );
  },
});
