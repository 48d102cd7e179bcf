import type { Count } from "../rate-limit/limiter.ts";

/** Whether a credential is good, and if so for whom. */
export type Verification<C> = { valid: true; caller: C } | { valid: false; reason: string };

/** A verified credential and the count of its requests; `count` is null when no limiter answered. */
export type AuthResult<C> = { valid: true; caller: C; count: Count | null } | { valid: false; reason: string };
