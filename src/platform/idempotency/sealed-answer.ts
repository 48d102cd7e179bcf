import type { Claim } from "../auth/author.ts";
import { seal, unseal } from "../auth/seal.ts";

// An answer may hold what is stored nowhere in the clear: a new key's value, tokens. It opens for the caller and the
// Idempotency-Key that it was given to.

const purposeOf = ({ caller, key }: Claim) => ["idempotent answer", caller, key] as const;

export const sealAnswer = (claim: Claim, secret: object): string => seal(claim.secrets, purposeOf(claim), secret);

export const unsealAnswer = (claim: Claim, sealed: string): object => unseal(claim.secrets, purposeOf(claim), sealed);
