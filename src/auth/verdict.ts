import type { Count } from "../rate-limit/limiter.ts";

/** Whether a credential is good, and if so for whom. */
export type Judgement<C> = { valid: true; caller: C } | { valid: false; reason: string };

/** A judgement with the request counted; `count` is null when no limiter could be asked. */
export type Verdict<C> = { valid: true; caller: C; count: Count | null } | { valid: false; reason: string };
