/** What a password costs in the worker project, in place of src/accounts/users/sign-in/password-cost.ts: hundreds of them are hashed. */
export const PASSWORD_COST = { ln: 4, r: 8, p: 1 };
