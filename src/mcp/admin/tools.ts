import type { JSONObject } from "@modelcontextprotocol/server";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { type Caller, may } from "../../platform/auth/caller.ts";
import type { Permission } from "../../platform/auth/roles.ts";

/** An operation of the API as a tool. `npm run openapi` writes them all to public/mcp-tools.json. */
export type AdminTool = {
  /** The operation's id. */
  name: string;
  group: string;
  permission: Permission;
  method: string;
  /** Path with its parameters in braces. */
  path: string;
  title: string;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
  /** JSON Schema of the arguments: parameters by name, and the request's body as `body`. */
  inputSchema: {
    type: "object";
    properties: Record<string, JSONObject>;
    required: string[];
    additionalProperties: false;
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

/** The tools of the wanted groups that the caller has the permission for. `groups` is a list with commas, or all. */
export async function offeredTools(env: Env, caller: Caller, groups: string | undefined): Promise<AdminTool[]> {
  const tools = await allTools(env);
  const wanted = groups === undefined ? undefined : wantedGroups(tools, groups);
  return tools.filter(({ group, permission }) => (!wanted || wanted.has(group)) && may(caller, permission));
}

function wantedGroups(tools: readonly AdminTool[], groups: string): Set<string> {
  const known = [...new Set(tools.map(({ group }) => group))];
  const wanted = new Set(groups.split(",").map((name) => name.trim()));
  if ([...wanted].every((name) => known.includes(name))) return wanted;
  throw badRequest(fieldError("groups", "invalid_value", `must be some of ${known.join(", ")}`, { allowed: known }));
}
