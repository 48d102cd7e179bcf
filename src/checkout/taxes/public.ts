export { exemptionWords } from "./exemption-words.ts";
export { checkVatId, judgedVatCheck } from "./vat-checks.ts";
