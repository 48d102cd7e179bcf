import type { ApiKeyCaller, UserCaller } from "./auth/caller.ts";

/** Whose accounts a caller may reach: for an API key there are no administrators. */
export type Reach = "everybody" | "customers";

export const reachOf = ({ kind }: UserCaller | ApiKeyCaller): Reach => (kind === "api_key" ? "customers" : "everybody");

/** An account that is asked for, and by whom: what is out of reach is not found. */
export type Target = { id: number; reach: Reach };
