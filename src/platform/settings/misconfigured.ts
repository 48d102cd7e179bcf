/** The error for a missing or invalid binding, with the reason and the binding's source. */
export const misconfigured = (binding: string, words: string): Error =>
  new Error(
    `${binding} ${words}. Locally \`npm start\` writes missing secrets to .dev.vars; in production \`npm run deploy\` sets those that ` +
      "are missing, and `npm run secrets` prints new values: docs/deploy.md.",
  );

/** A fault whose message is sent in the response, for developers to read. */
export class DevelopmentError extends Error {}
