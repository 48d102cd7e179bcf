import { badRequest, fieldError } from "../../domain/errors.ts";

// A version of the API is the day of an incompatible change. Handlers know the newest version only: each change turns requests
// of the version before it into its own, and its responses into those of the version before. As at Stripe, a key keeps the
// version of its creation, and a header overrides it (docs.stripe.com/api/versioning). As at GitHub, an unknown version is a
// 400 (docs.github.com/rest/overview/api-versions).

/** Header of requests, and of every response. */
export const VERSION_HEADER = "API-Version";

type Fields = Record<string, unknown>;

/** How an operation changed: a body or a resource in, the converted one out. */
type OperationChange = { request?: (older: Fields) => Fields; response?: (newer: Fields) => Fields };

/** An incompatible change, by operation id. */
type ApiChange = { version: string; operations: Record<string, OperationChange> };

/** The first version, and the changes since then, oldest first. */
export type ApiHistory = { first: string; changes: readonly ApiChange[] };

export const apiHistory: ApiHistory = { first: "2026-11-29", changes: [] };

/** All versions, oldest first. */
export const versionsOf = ({ first, changes }: ApiHistory): string[] => [
  ...new Set([first, ...changes.map(({ version }) => version)]),
];

export const NEWEST_VERSION = versionsOf(apiHistory).at(-1) ?? apiHistory.first;

/** The version of a request: the one it asks for, or the newest of the time when its key was created. Others get the first. */
export function chosenVersion(history: ApiHistory, asked: string | null, keyCreatedAt: number | undefined): string {
  const versions = versionsOf(history);
  if (asked === null)
    return versions.findLast((version) => Date.parse(version) <= (keyCreatedAt ?? 0)) ?? history.first;
  if (versions.includes(asked)) return asked;
  const words = `must be one of ${versions.join(", ")}`;
  throw badRequest(fieldError(VERSION_HEADER.toLowerCase(), "invalid_value", words, { allowed: versions }));
}

/** Changes of an operation since a version, oldest first. */
export const changesSince = ({ changes }: ApiHistory, version: string, operationId: string): OperationChange[] =>
  changes.flatMap(({ version: changed, operations }) =>
    changed > version && Object.hasOwn(operations, operationId) ? [operations[operationId] ?? {}] : [],
  );

/** Converts a body to the newest version. */
export const toNewest = (steps: readonly OperationChange[], body: Fields): Fields =>
  steps.reduce((older, { request }) => request?.(older) ?? older, body);

/** Converts a resource, or each resource of a list, from the newest version. */
export const fromNewest = (steps: readonly OperationChange[], data: unknown): unknown => {
  const convert = (resource: Fields): Fields =>
    steps.reduceRight((newer, { response }) => response?.(newer) ?? newer, resource);
  return Array.isArray(data) ? data.map(convert) : convert(Object(data));
};
