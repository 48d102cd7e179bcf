/** About 10,000 tokens. Clients warn about longer results, or cut them in the middle of a value. */
export const MAX_CHARACTERS = 40_000;

/** Parsed JSON of a response. */
export type AnswerJson = Record<string, unknown>;

/** A list or text that was shortened, by its place in the response. */
export type Cut = { place: string; shown: number; of: number; unit: "items" | "characters" };

type Part<Value> = { value: Value; place: string; within: object; name: string };

/** Minimum length to which texts are shortened. */
const SHORTEST_TEXT = 200;

/**
 * Shortens a response, in place, to a size that a model should read: lists at whole items, the largest list first, and
 * once every list is down to one item, the longest texts. Returns the shortened parts.
 */
export function cutToFit(answer: AnswerJson, limit = MAX_CHARACTERS): Cut[] {
  const cuts = new Map<string, Cut>();
  for (let size = sizeOf(answer); size > limit; size = sizeOf(answer)) {
    const { lists, texts } = partsOf(answer);
    const list = largest(lists.filter(({ value }) => value.length > 1));
    const longest = Math.max(...texts.map(({ value }) => value.length));
    if (list) cut(cuts, list, "items", fitting(list.value, size - limit));
    else if (longest > SHORTEST_TEXT) {
      const most = Math.max(SHORTEST_TEXT, Math.floor(longest / 2));
      for (const part of texts) if (part.value.length > most) cut(cuts, part, "characters", most);
    } else break;
  }
  return [...cuts.values()];
}

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/** Number of items left after removing `excess` characters from the end of a list. At least one. */
function fitting(list: unknown[], excess: number): number {
  let left = list.length;
  for (let gone = 0; left > 1 && gone < excess; left--) gone += sizeOf(list[left - 1]) + 1;
  return left;
}

function cut(
  cuts: Map<string, Cut>,
  { value, place, within, name }: Part<unknown[] | string>,
  unit: Cut["unit"],
  shown: number,
): void {
  Reflect.set(within, name, value.slice(0, shown));
  cuts.set(place, { place, shown, of: cuts.get(place)?.of ?? value.length, unit });
}

function largest(lists: Part<unknown[]>[]): Part<unknown[]> | undefined {
  const sizes = lists.map(({ value }) => sizeOf(value));
  return lists[sizes.indexOf(Math.max(...sizes))];
}

/** All lists and texts within a value. */
function partsOf(within: object, before = ""): { lists: Part<unknown[]>[]; texts: Part<string>[] } {
  const lists: Part<unknown[]>[] = [];
  const texts: Part<string>[] = [];
  for (const [name, value] of Object.entries(within)) {
    const part = { place: `${before}${name}`, within, name };
    if (typeof value === "string") texts.push({ ...part, value });
    if (Array.isArray(value)) lists.push({ ...part, value });
    if (typeof value !== "object" || value === null) continue;
    const inner = partsOf(value, `${part.place}.`);
    lists.push(...inner.lists);
    texts.push(...inner.texts);
  }
  return { lists, texts };
}
