import { randomBytes } from "node:crypto";

const hex = () => randomBytes(2).toString("hex");

/** The header of a caller in a network that no other test calls from: each may sign in or sign up a few times a minute. */
export const fromAnAddress = () => ({ "CF-Connecting-IP": `2001:db8:${hex()}:${hex()}::1` });
