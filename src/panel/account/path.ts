/** The page of who is signed in. */
export const ACCOUNT = "/admin/account";
