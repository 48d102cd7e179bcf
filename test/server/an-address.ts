import { randomBytes } from "node:crypto";

const hex = () => randomBytes(2).toString("hex");

/** A header for a network that no other test uses, because sign-ins and sign-ups are limited by address. */
export const fromAnAddress = () => ({ "CF-Connecting-IP": `2001:db8:${hex()}:${hex()}::1` });
