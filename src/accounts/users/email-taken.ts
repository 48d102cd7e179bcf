import { badRequest, fieldError } from "../../domain/errors.ts";

const refused = () => badRequest(fieldError("email", "email_taken", "is already registered"));

/** The error of an address that another account has, or may still go back to. */
export const emailTaken = { "users.email": refused, email_reserved: refused };
