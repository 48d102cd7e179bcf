import { conflict } from "../../domain/errors.ts";

/** The refusals of a change that an erasure, asked for or done, does not allow. */
export const erasureRefusals = {
  account_erased: () => conflict("account_erased", "The account was erased"),
  staff_cannot_be_erased: () =>
    conflict("staff_cannot_be_erased", "Staff are not erased, nor does an account that will be erased become staff"),
};
