import { eq } from "drizzle-orm";
import { addUpAllSales } from "../../src/back-office/sales/add-up.ts";
import { orders, sales, transactions } from "../../src/platform/db/schema.ts";
import { PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { db } from "../support/shop.ts";

export type Person = Awaited<ReturnType<typeof aPerson>>;

let made = 0;

/** A customer whose name, e-mail address and postal address nobody else has. */
export async function aPerson() {
  const n = ++made;
  const words = {
    name: `Philippa Quillfeather${n}`,
    email: `pquill${n}@feather${n}.test`,
    street: `${n} Goosewing Yard${n}`,
  };
  const surname = `Quillfeather${n}`;
  const signup = await call("POST /auth/signup", {
    body: {
      name: words.name,
      email: words.email,
      password: PASSWORD,
      phone: "0117 496 0999",
      company: `Plume Works${n}`,
      metadata: { pet: `Goosey${n}` },
    },
    headers: { "Idempotency-Key": `signup-${n}` },
  });
  const { token, user } = signup.body.data;
  const needles = [
    surname,
    `pquill${n}`,
    `feather${n}`,
    `Goosewing`,
    `Yard${n}`,
    `Plume Works${n}`,
    `Goosey${n}`,
    "4960999",
    "496 0999",
  ];
  return { ...words, surname, id: user.id as number, token: token as string, needles };
}

/** Data that an erasure keeps. */
export const salesAndLedger = async (id: number) => {
  await addUpAllSales(db);
  return {
    sales: await db.select().from(sales),
    ledger: (await db.select().from(transactions).where(eq(transactions.userId, id))).map(({ note: _, ...row }) => row),
    orders: (await db.select().from(orders).where(eq(orders.userId, id))).map(
      ({ id: order, total, refundedTotal, status, paymentStatus }) => ({
        order,
        total,
        refundedTotal,
        status,
        paymentStatus,
      }),
    ),
  };
};
