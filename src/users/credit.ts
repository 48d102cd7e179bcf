import type { Author } from "../audit/entry.ts";
import type { Database } from "../db/client.ts";
import { ApiError } from "../errors.ts";
import { type Claim, replay } from "../idempotency/claim.ts";
import { recall } from "../idempotency/queries.ts";
import type { Target } from "../reach.ts";
import type { TransactionRow } from "../transaction.ts";
import { insertCredit } from "./credit-queries.ts";
import type { WalletCredit } from "./schemas.ts";

/** A movement of a wallet, and whether it is the answer of an earlier request with the same Idempotency-Key. */
type Credited = { transaction: TransactionRow; replayed: boolean };

/** Moves a wallet by an amount, in one round trip; one more says whether what is refused was done before. */
export async function creditWallet(
  db: Database,
  target: Target,
  credit: WalletCredit,
  author: Author,
  claim: Claim | undefined,
): Promise<Credited> {
  try {
    return { transaction: await insertCredit(db, target, credit, author, claim), replayed: false };
  } catch (error) {
    const remembered = error instanceof ApiError && claim && (await recall(db, claim, author.now));
    if (!remembered) throw error;
    return { transaction: replay<TransactionRow>(remembered, claim), replayed: true };
  }
}
