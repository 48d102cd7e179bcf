export { AccountAddress, toAccountAddress } from "./addresses/schemas.ts";
export { confirmPassword } from "./confirm-password.ts";
export { erasureRefusals } from "./erasure-refusals.ts";
export { type OwnRequest, ownRequestOf } from "./own-request.ts";
export { Profile, toProfile } from "./profile.ts";
export { endSessions } from "./sessions/end-queries.ts";
export { NO_PASSWORD } from "./sign-in/passwords.ts";
