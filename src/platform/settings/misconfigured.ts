/** The error for a binding that is missing or wrong: what is wrong with it, and where it comes from. */
export const misconfigured = (binding: string, words: string): Error =>
  new Error(
    `${binding} ${words}. Locally \`npm start\` writes missing secrets to .dev.vars; in production \`npm run deploy\` sets those that ` +
      "are missing, and `npm run secrets` prints new values: docs/deploy.md.",
  );

/** A fault whose message the answer shows, because a developer reads it. */
export class DevelopmentError extends Error {}
