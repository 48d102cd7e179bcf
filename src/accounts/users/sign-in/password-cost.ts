/** scrypt's parameters for new hashes: a row of OWASP's table that fits the 128 MB of an isolate. A hash takes 0.2 s of CPU. */
export const PASSWORD_COST = { ln: 14, r: 8, p: 5 };
