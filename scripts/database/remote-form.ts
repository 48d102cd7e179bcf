import { readFileSync } from "node:fs";

// D1's endpoint for queries divides text into statements by itself, and not as SQLite does. Public reports
// in cloudflare/workers-sdk say that it
//
// - ends a trigger at the first END before white space or a semicolon, also at the END of a CASE (#4326, #4727)
// - fails on triggers of several lines (#4998, #15690), CRLF (#14991), lower-case BEGIN (#15314), and on quotes and
//   semicolons in comments (#4713, #3892)
//
// and then answers "incomplete input: SQLITE_ERROR [code: 7500]". It takes a CASE in parentheses
// (leeguooooo/AgentParty#768, Defiabell/shotsync#3). Local SQLite takes everything, so no other test finds this.

/** Texts, quoted names, comments, words, white space and single characters. */
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|\w+|\s+|[^\w\s]/g;

const isComment = (token: string): boolean => token.startsWith("--") || token.startsWith("/*");
const isKeyword = (token: string): boolean => /^(?:begin|case|end)$/i.test(token);

/** A trigger on one line, without comments, with BEGIN and END in capitals, and CASE in parentheses. */
export function remoteForm(trigger: string): string {
  const written: string[] = [];
  const cases: number[] = [];
  for (const { 0: token, index } of trigger.matchAll(TOKEN)) {
    if (isComment(token) || token.trim() === "") {
      if (written.at(-1) !== " ") written.push(" ");
      continue;
    }
    const word = isKeyword(token) ? token.toUpperCase() : token;
    if (word === "CASE") cases.push(written.length);
    written.push(word);
    const start = word === "END" ? cases.pop() : undefined;
    if (start === undefined || /[),]/.test(trigger[index + token.length] ?? "")) continue;
    written[start] = "(CASE";
    written.push(")");
  }
  return written.join("");
}

/** Problems of a migration that the remote database may refuse, one line each. */
export function unfitForRemote(path: string): string[] {
  const text = readFileSync(path, "utf8");
  const comments = [...text.matchAll(TOKEN)].filter(([token]) => isComment(token) && /['"`;]/.test(token));
  return [
    ...(text.includes("\r") ? [`${path} has line ends with CR. Write LF alone.`] : []),
    ...comments.map(([comment]) => `${path}: remove quotes and semicolons from the comment ${comment}`),
    ...triggersIn(text)
      .filter((trigger) => trigger !== remoteForm(trigger) || /\n|\bEND[\s;]/i.test(trigger))
      .map((trigger) => {
        const name = /TRIGGER(?: IF NOT EXISTS)? ["`]?(\w+)/i.exec(trigger)?.[1];
        return `${path}: D1 would cut trigger ${name}. Write it on one line without comments, BEGIN and END in capitals, and every CASE in parentheses.`;
      }),
  ];
}

/** The triggers that a migration creates, as SQLite reads them, from CREATE to their END. */
function triggersIn(text: string): string[] {
  const triggers: string[] = [];
  let start: number | undefined;
  let last = { word: "", index: 0 };
  let cases = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (isComment(token) || token.trim() === "") continue;
    const word = token.toUpperCase();
    if (word === "TRIGGER" && last.word === "CREATE") start = last.index;
    if (word === "CASE") cases += 1;
    else if (word === "END" && cases > 0) cases -= 1;
    else if (word === "END" && start !== undefined) {
      triggers.push(text.slice(start, index + token.length));
      start = undefined;
    }
    last = { word, index };
  }
  return triggers;
}
