export { type AccountContext, accountContextOf } from "./account-context.ts";
export { AccountAddress, toAccountAddress } from "./addresses.ts";
export { customerTagWrites, erasureRefusals, findCustomers } from "./admin.ts";
export { MAX_COMPANY, MAX_NAME, MAX_TAX_EXEMPT_REASON, userFields } from "./fields.ts";
export { idsOfFoundUsers, idsOfUsers, readUserIds, walkUsers } from "./list.ts";
export { Profile, toProfile, toUser, User, type UserFilters, UsersQuery, userFilters } from "./schemas.ts";
export { endSessions } from "./sessions/sessions.ts";
export { NO_PASSWORD } from "./sign-in/passwords.ts";
export { confirmPassword } from "./sign-in/sign-in.ts";
