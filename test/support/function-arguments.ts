/** Arguments that D1 allows a function (developers.cloudflare.com/d1/platform/limits). The local runtime allows 127. */
const MOST_ARGUMENTS = 32;

const seen = new Set<string>();

/** Refuses a query that calls a function with more arguments than D1 allows, as D1 would. */
export function requireFewArguments(query: string): void {
  if (seen.has(query)) return;
  const most = mostArguments(query);
  if (most > MOST_ARGUMENTS)
    throw new Error(`A function has ${most} arguments, and D1 allows ${MOST_ARGUMENTS}: ${query}`);
  seen.add(query);
}

/** The highest number of arguments that a function of the query has. A function's name stands directly before its parenthesis. */
export function mostArguments(query: string): number {
  let most = 0;
  const open: { isCall: boolean; commas: number }[] = [];
  for (const [token] of query.matchAll(/'(?:[^']|'')*'|"[^"]*"|`[^`]*`|\w*\(|[),]/g)) {
    const last = open.at(-1);
    if (token.endsWith("(")) open.push({ isCall: token.length > 1, commas: 0 });
    else if (token === "," && last) last.commas++;
    else if (token === ")" && open.pop()?.isCall && last) most = Math.max(most, last.commas + 1);
  }
  return most;
}
