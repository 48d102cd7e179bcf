/** Verbs of the audit log's sentences, which continue with a noun and a name. */
const verbs: Record<string, string> = {
  add_note: "Added a note to",
  add_variants: "Added variants to",
  add_version: "Added a version to",
  adjust_stock: "Adjusted the stock of",
  cancel: "Cancelled",
  change_variants: "Changed variants of",
  code_refused: "Refused a code of",
  complete: "Completed",
  create: "Created",
  credit: "Credited",
  delete: "Deleted",
  end_sessions: "Ended the sessions of",
  erase: "Requested to erase",
  erased: "Erased",
  export: "Exported data of",
  mark_paid: "Marked as paid:",
  password_refused: "Refused a password of",
  pause: "Paused",
  refund: "Refunded",
  refund_failed: "Failed to refund",
  remove_two_factor: "Removed two-factor authentication from",
  replay: "Sent events again to",
  reset_password: "Reset the password of",
  restore: "Restored",
  retry: "Sent an event again to",
  revoke: "Revoked",
  rotate: "Rotated",
  send_email_again: "Sent an e-mail again to",
  set_up: "Set up",
  ship: "Shipped",
  sign_in: "Signed in to",
  sign_in_failed: "Failed to sign in to",
  switch_off: "Switched off",
  switch_on: "Switched on",
  test: "Sent a test event to",
  update: "Changed",
};

const nouns: Record<string, string> = {
  api_key: "API key",
  email_switch: "e-mail",
  user: "account",
};

/** "Adjusted the stock of product" for `product.adjust_stock`. */
export function actionWords(action: string, subject: string): string {
  const verb = action.slice(action.indexOf(".") + 1);
  const words = verb.replaceAll("_", " ");
  const shown = verbs[verb] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}:`;
  return `${shown} ${nouns[subject] ?? subject.replaceAll("_", " ")}`;
}
