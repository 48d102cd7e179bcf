import { type Caller, may } from "../../platform/auth/caller.ts";
import type { OrderRow } from "./schemas.ts";

/** True for those who may read the e-mail address, bill and payments of an order, and search by them. */
export const readsWhole = (caller: Caller): boolean => may(caller, "orders:read") || may(caller, "orders:write");

/**
 * The part of an order that its reader may see. Those who only ship it see what is in the parcel, its value, which customs and
 * deliveries for cash need, where it goes and how its status changed. E-mail addresses, bills, payments, refunds, notes and texts
 * of programs, which may contain any of these, are left out.
 */
export const visibleTo = (caller: Caller, order: OrderRow): OrderRow =>
  readsWhole(caller)
    ? order
    : {
        ...order,
        customerEmail: null,
        billingAddress: null,
        taxExemptReason: null,
        vatCheck: null,
        paymentReference: null,
        paymentUrl: null,
        paymentInstructions: null,
        refundedTotal: 0,
        refundedShipping: 0,
        refundedTax: 0,
        metadata: {},
        history: order.history.filter(({ kind }) => kind === "status").map((step) => ({ ...step, note: null })),
      };
