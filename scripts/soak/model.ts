import type { Schema } from "../../src/client/index.ts";
import type { User } from "../bench/callers.ts";

export type Order = Schema["Order"];

/** An order as its buyer and the staff know it: everything that was acknowledged. */
export type KnownState = {
  order: Order;
  user: User | null;
  /** Units that the order took from stock, by product. */
  held: Map<number, number>;
  /** Minor units that the order took from the wallet. */
  charged: number;
  /** Events and e-mails that must exist, once each. */
  events: string[];
  emails: string[];
  /** Events and e-mails that may occur twice, because nothing recognizes a repeated request. */
  maybe: string[];
  /** Time at which the order expires unless it is paid. */
  expiresAt: number | null;
  downloads: number;
};

/** The e-mail of an event, unless the model specifies another. */
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

/** Every acknowledged write. The shop must contain all of their effects. */
export function openModel() {
  const orders = new Map<number, KnownState>();
  /** Units added to stock, by product. */
  const stock = new Map<number, number>();
  /** E-mails that are not about an order, by address. */
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
    /** Records a placed order. Two requests with one key are one order. */
    placed(order: Order, user: User | null): KnownState {
      const known: KnownState = {
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
    take(known: KnownState, product: number, units: number): void {
      known.held.set(product, (known.held.get(product) ?? 0) + units);
    },
    cameIn(product: number, units: number): void {
      stock.set(product, (stock.get(product) ?? 0) + units);
    },
    /** Records events with the e-mails that they cause. */
    happened(known: KnownState, ...events: string[]): void {
      for (const event of events) {
        known.events.push(event);
        const email = EMAILS[event];
        if (email) known.emails.push(email);
      }
    },
  };
}
export type Model = ReturnType<typeof openModel>;
