/** The page of who is signed in. */
export const ACCOUNT = "/admin/account";
export const TWO_FACTOR = `${ACCOUNT}/two-factor`;
