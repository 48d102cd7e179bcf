import type { Schema } from "../../src/client/index.ts";
import type { User } from "../bench/callers.ts";

export type Order = Schema["Order"];

/** An order as its buyer and the staff know it: everything that was acknowledged. */
export type Known = {
  order: Order;
  user: User | null;
  /** Units that it took from the stock, by product. */
  held: Map<number, number>;
  /** Minor units that it took from the wallet. */
  charged: number;
  /** Events and e-mails that it owes, one each. */
  events: string[];
  emails: string[];
  /** Events and e-mails that may be there twice, because nothing recognizes a repeated request. */
  maybe: string[];
  /** When it expires, unless it was paid. */
  expiresAt: number | null;
  downloads: number;
};

/** The e-mail of an event, unless the model says otherwise. */
const EMAILS: Record<string, string> = {
  "order.created": "order_confirmation",
  "order.payment_failed": "payment_failed",
  "shipment.created": "order_shipped",
  "package.granted": "downloads_ready",
  "order.cancelled": "order_cancelled",
  "order.expired": "order_expired",
  "refund.succeeded": "refund_sent",
};

export const minor = (amount: number): number => Math.round(amount * 100);

/** Every write that was acknowledged. The shop must hold what follows from them. */
export function openModel() {
  const orders = new Map<number, Known>();
  /** Units that came in by product. */
  const stock = new Map<number, number>();
  /** E-mails to addresses that are about no order. */
  const accounts: string[] = [];
  const counts = {
    bulk: 0,
    exports: 0,
    exported: 0,
    twins: 0,
    limitReached: 0,
    soldOut: 0,
    imports: 0,
    backups: 0,
  };

  return {
    orders,
    stock,
    accounts,
    counts,
    /** Records a placed order. Twins of one request are one order. */
    placed(order: Order, user: User | null): Known {
      const known: Known = {
        order,
        user,
        held: new Map(),
        charged: 0,
        events: [],
        emails: [],
        maybe: [],
        expiresAt: null,
        downloads: 0,
      };
      orders.set(order.id, known);
      for (const { product_id, quantity } of order.items) this.take(known, product_id, quantity);
      this.happened(known, "order.created");
      return known;
    },
    take(known: Known, product: number, units: number): void {
      known.held.set(product, (known.held.get(product) ?? 0) + units);
    },
    cameIn(product: number, units: number): void {
      stock.set(product, (stock.get(product) ?? 0) + units);
    },
    /** Notes events with the e-mails that they cause. */
    happened(known: Known, ...events: string[]): void {
      for (const event of events) {
        known.events.push(event);
        const email = EMAILS[event];
        if (email) known.emails.push(email);
      }
    },
  };
}
export type Model = ReturnType<typeof openModel>;
