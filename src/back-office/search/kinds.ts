import { type Caller, isAdministrator, may } from "../../platform/auth/caller.ts";

/** What the search finds, in the order of its answer. */
export const kinds = ["order", "user", "product", "file", "api_key"] as const;
export type Kind = (typeof kinds)[number];

const readBy: Record<Kind, (caller: Caller) => boolean> = {
  order: (caller) => may(caller, "orders:read"),
  user: (caller) => may(caller, "users:read"),
  product: (caller) => may(caller, "products:read"),
  file: (caller) => may(caller, "files:read"),
  api_key: isAdministrator,
};

/** The kinds whose lists the caller may read. */
export const kindsReadBy = (caller: Caller): Kind[] => kinds.filter((kind) => readBy[kind](caller));
