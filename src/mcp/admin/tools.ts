import type { JSONObject, ToolAnnotations } from "@modelcontextprotocol/server";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { type Caller, may } from "../../platform/auth/caller.ts";
import type { Permission } from "../../platform/auth/roles.ts";
import { type AnswerJson, type Cut, cutToFit, MAX_CHARACTERS } from "./cut-to-fit.ts";

/** An operation of the API as a tool. `npm run openapi` writes them all to public/mcp-tools.json. */
export type AdminTool = {
  /** The operation's id. */
  name: string;
  group: string;
  permission: Permission;
  method: string;
  /** Path with its parameters in braces. */
  path: string;
  description: string;
  annotations?: ToolAnnotations;
  /** JSON Schema of the arguments: parameters by name, and the request's body as `body`. */
  inputSchema: {
    type: "object";
    properties: Record<string, JSONObject>;
    required?: string[];
  };
};

let all: AdminTool[] | undefined;

/** Every tool, read once per isolate. */
async function allTools({ ASSETS }: Env): Promise<AdminTool[]> {
  if (all) return all;
  const answer = await ASSETS.fetch("https://assets.invalid/mcp-tools.json");
  if (!answer.ok) throw new Error(`mcp-tools.json is not served: ${answer.status}`);
  all = await answer.json<AdminTool[]>();
  return all;
}

/**
 * The tools of the requested groups for which the caller has the permission. `groups` is a list with commas, or all.
 */
export async function offeredTools(env: Env, caller: Caller, groups: string | undefined): Promise<AdminTool[]> {
  const tools = await allTools(env);
  const wanted = groups === undefined ? undefined : wantedGroups(tools, groups);
  return tools.filter(({ group, permission }) => (!wanted || wanted.has(group)) && may(caller, permission));
}

function wantedGroups(tools: readonly AdminTool[], groups: string): Set<string> {
  const known = [...new Set(tools.map(({ group }) => group))];
  const wanted = new Set(groups.split(",").map((name) => name.trim()));
  if ([...wanted].every((name) => known.includes(name))) return wanted;
  throw badRequest(fieldError("groups", "invalid_value", `may only contain ${known.join(", ")}`, { allowed: known }));
}

/** A tool's result: the API's response as JSON, and a sentence about omitted parts. */
export type ToolResult = { content: { type: "text"; text: string }[]; isError?: true };

type Arguments = Readonly<Record<string, unknown>>;

const HEADERS = ["Idempotency-Key", "If-Match"];

/** Calls a tool's operation by `send` and returns its response, including errors, in a form that a model can read. */
export async function callTool(
  tool: AdminTool,
  given: Arguments,
  send: (path: string, init: RequestInit) => Promise<Response>,
): Promise<ToolResult> {
  const problem = problemWith(tool, given);
  if (problem !== undefined) return { content: [text(problem)], isError: true };
  const response = await send(pathOf(tool, given), {
    method: tool.method,
    headers: headersOf(given),
    ...(given.body !== undefined && { body: JSON.stringify(given.body) }),
  });
  const answer = await answerOf(response);
  const cuts = cutToFit(answer);
  const remarks = cuts.length > 0 ? [text(aboutCuts(tool, cuts))] : [];
  return { content: [text(JSON.stringify(answer)), ...remarks], ...(!response.ok && { isError: true }) };
}

const text = (content: string) => ({ type: "text", text: content }) as const;

/** A sentence about arguments that cannot be sent. The route itself validates all others. */
function problemWith({ inputSchema: { properties, required = [] } }: AdminTool, given: Arguments): string | undefined {
  const names = Object.keys(properties);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined)
    return `The tool has no argument ${unknown}. Its arguments: ${names.join(", ") || "none"}.`;
  const missing = required.find((name) => given[name] === undefined);
  if (missing !== undefined) return `The argument ${missing} is required.`;
  const odd = names.find((name) => name !== "body" && given[name] !== undefined && !isPlain(given[name]));
  return odd === undefined ? undefined : `The argument ${odd} must be a non-empty text, a number or a boolean.`;
}

/** True for a value that a path, query or header can carry. A path would lose the segments `.` and `..`. */
const isPlain = (value: unknown): boolean =>
  ["string", "number", "boolean"].includes(typeof value) && !/^\.{0,2}$|[\0\r\n]/.test(String(value));

function pathOf({ path, inputSchema }: AdminTool, given: Arguments): string {
  const query = new URLSearchParams();
  for (const name of Object.keys(inputSchema.properties)) {
    if (name === "body" || given[name] === undefined || HEADERS.includes(name) || path.includes(`{${name}}`)) continue;
    query.set(name, String(given[name]));
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])));
  return query.size > 0 ? `${filled}?${query}` : filled;
}

function headersOf(given: Arguments): Record<string, string> {
  const sent = HEADERS.filter((name) => given[name] !== undefined).map((name) => [name, String(given[name])]);
  return { ...Object.fromEntries(sent), ...(given.body !== undefined && { "Content-Type": "application/json" }) };
}

/** The envelope, with the ETag to use in If-Match. */
async function answerOf(response: Response): Promise<AnswerJson> {
  const body = await response.text();
  if (body === "") return { status: "success", message: "Done" };
  const etag = response.headers.get("ETag");
  return { ...JSON.parse(body), ...(etag !== null && { etag }) };
}

function aboutCuts({ inputSchema: { properties } }: AdminTool, cuts: readonly Cut[]): string {
  const parts = cuts.map(({ place, shown, of, unit }) => `${place} shows ${shown} of ${of} ${unit}`);
  const rows = cuts.find(({ place }) => place === "data");
  const advice = [
    ...(rows && "per_page" in properties
      ? [`Request per_page=${Math.max(rows.shown, 1)} and continue with page.`]
      : []),
    ...("fields" in properties ? ["Name the fields that you need in fields."] : []),
  ];
  return [
    `Cut to ${MAX_CHARACTERS.toLocaleString("en")} characters: ${parts.join(", ")}.`,
    ...(advice.length > 0 ? advice : ["The API itself returns everything."]),
  ].join(" ");
}
