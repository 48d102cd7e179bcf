/**
 * Password cost in the worker project and in the server tests' shared shop, in place of
 * src/accounts/users/sign-in/password-cost.ts, because they hash hundreds of passwords.
 */
export const PASSWORD_COST = { ln: 4, r: 8, p: 1 };
