/** The statutory label of directive 2011/83/EU, article 11a. */
export const WITHDRAW = "Withdraw from contract here";
