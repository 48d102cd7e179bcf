import { badRequest, conflict, fieldError } from "../../../domain/errors.ts";

export const wrongCode = () => badRequest(fieldError("code", "wrong_code", "is wrong, or was used before"));

export const notEnabled = () => conflict("two_factor_not_enabled", "The account has no second factor");
