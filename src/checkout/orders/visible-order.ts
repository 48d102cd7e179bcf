import { type Caller, may } from "../../platform/auth/caller.ts";
import type { OrderRow } from "./schemas.ts";

const readsWhole = (caller: Caller): boolean => may(caller, "orders:read") || may(caller, "orders:write");

/**
 * The part of an order that its reader may see. Those who only ship it see what is in the parcel, its value, which customs and
 * deliveries for cash need, and where it goes. E-mail addresses, bills and references of payments are left out.
 */
export const visibleTo = (caller: Caller, order: OrderRow): OrderRow =>
  readsWhole(caller)
    ? order
    : {
        ...order,
        customerEmail: null,
        billingAddress: null,
        taxExemptReason: null,
        paymentReference: null,
        paymentUrl: null,
        paymentInstructions: null,
      };
