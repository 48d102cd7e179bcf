/**
 * Password cost in the worker project and in the shop that server tests share, in place of
 * src/accounts/users/sign-in/password-cost.ts: hundreds are hashed.
 */
export const PASSWORD_COST = { ln: 4, r: 8, p: 1 };
