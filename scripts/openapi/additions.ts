import type { ApiHistory } from "../../src/platform/http/api-versions.ts";
import { incompatibleChanges } from "./compatibility.ts";
import { type OpenApi, operationsOf } from "./shape.ts";

/** Something new, with the operations ("GET /path") or the event that have it. An operation or event may be new itself. */
export type Addition = { kind: "operation" | "event" | "input" | "output"; name: string; places: string[] };

const LINE = /^(?:((?:event )?\S+(?: \/\S+)?): )?(.+?) (?:is gone|(?:is )?no longer accept(?:ed|s)(?: (.+))?)$/;

/** Parts of a newer document that an older one lacks: a client would miss them if the older API came back. */
export function additionsSince(older: OpenApi, newer: OpenApi): Addition[] {
  const additions = new Map<string, Addition>();
  for (const line of incompatibleChanges(newer, older)) {
    const [, place = "", what = "", value] = LINE.exec(line) ?? [];
    const addition = what && additionOf(place, what, value);
    if (!addition) continue;
    const key = `${addition.kind} ${addition.name}`;
    const known = additions.get(key);
    if (known) known.places = [...new Set([...known.places, ...addition.places])];
    else additions.set(key, addition);
  }
  return [...additions.values()];
}

function additionOf(place: string, what: string, value: string | undefined): Addition | undefined {
  const [first = "", ...rest] = what.split(" ");
  if (place === "")
    return { kind: first === "event" ? "event" : "operation", name: what.replace("event ", ""), places: [what] };
  if (first === "path") return undefined;
  const isOutput = first.startsWith("response.") || place.startsWith("event ");
  const name = rest.length > 0 ? rest.join(" ") : what.replace(/^(body|response\.data(\[\])?|response)?\.?/, "");
  const places = [place.replace("event ", "")];
  return { kind: isOutput ? "output" : "input", name: value === undefined ? name : `${name}=${value}`, places };
}

/** The incompatible changes that no version of the API converts for its clients. */
export function unconverted(changes: string[], released: OpenApi, { changes: converted }: ApiHistory): string[] {
  const ids = new Set(converted.flatMap(({ operations }) => Object.keys(operations)));
  const routes = [...operationsOf(released)].flatMap(([id, { method, path }]) =>
    ids.has(id) ? [`${method.toUpperCase()} ${path}`] : [],
  );
  return changes.filter((change) => !routes.some((route) => change.startsWith(`${route}: `)));
}
