import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A list that rotates: the newest makes, every one of them is accepted. */
export type Secrets = readonly [newest: string, ...older: string[]];

/** 256 random bits behind a prefix that tells secret scanners and people what it is. */
export const randomToken = (prefix: string): string => prefix + randomBytes(32).toString("base64url");

/** SHA-256 in hex: all that is stored of an API key, a refresh token or a cart token. */
export const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

const utf8 = new TextEncoder();

/** Compares without telling by its time where the two differ. */
export const sameSecret = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(utf8.encode(a), utf8.encode(b));
