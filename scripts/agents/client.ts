import { Ajv2020 } from "ajv/dist/2020.js";
import { cutToFit } from "../../src/mcp/admin/cut-to-fit.ts";

type Tool = { name: string; description: string; inputSchema: object };

/** Maximum number of characters of an answer in a transcript. */
const SHOWN_CHARACTERS = 2_400;

/** A client of an MCP endpoint that knows only what the endpoint says, and records what it does. */
export class Agent {
  readonly lines: string[] = [];
  readonly #endpoint: URL;
  readonly #headers: Record<string, string>;
  #tools: Tool[] = [];
  #calls = 0;

  constructor(endpoint: URL, headers: Record<string, string>) {
    this.#endpoint = endpoint;
    this.#headers = headers;
  }

  say(text: string): void {
    this.lines.push(text, "");
  }

  /** Performs the handshake and reads the list of tools. */
  async connect(): Promise<void> {
    const client = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "scripted-agent", version: "1" },
    };
    const { serverInfo, instructions } = await this.#send("initialize", client);
    this.#tools = (await this.#send("tools/list", {})).tools;
    this.say(`Connected to **${serverInfo.title}**, which offers ${this.#tools.length} tools and says:`);
    this.say(`> ${instructions}`);
  }

  /** Finds a listed tool. */
  find(wanted: string): Tool {
    const tool = this.#tools.find(({ name }) => name === wanted);
    if (!tool) throw new Error(`No tool ${wanted} is listed`);
    return tool;
  }

  /** Calls a tool with arguments that its schema allows, and returns its answer. */
  // biome-ignore lint/suspicious/noExplicitAny: an agent reads whatever it is given
  async use({ name, inputSchema }: Tool, given: object): Promise<any> {
    const validate = new Ajv2020({ strict: false, logger: false, validateFormats: false }).compile(inputSchema);
    if (!validate(given))
      throw new Error(`${name} does not take ${JSON.stringify(given)}: ${JSON.stringify(validate.errors)}`);
    const { content, isError } = await this.#send("tools/call", { name, arguments: given });
    const answer = JSON.parse(content[0].text);
    const shown = structuredClone(answer);
    cutToFit(shown, SHOWN_CHARACTERS);
    this.lines.push(`**${name}**`, "", block(given), "", isError ? "refused:" : "answered:", "", block(shown), "");
    return answer;
  }

  // biome-ignore lint/suspicious/noExplicitAny: results differ by method
  async #send(method: string, params: object): Promise<any> {
    const response = await fetch(this.#endpoint, {
      method: "POST",
      headers: {
        Accept: "application/json, text/event-stream",
        "Content-Type": "application/json",
        ...this.#headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++this.#calls, method, params }),
    });
    const text = await response.text();
    const [, message = text] = /^data: (.*)$/m.exec(text) ?? [];
    const { result, error } = JSON.parse(message);
    if (!result) throw new Error(`${method}: ${response.status} ${JSON.stringify(error) ?? message}`);
    return result;
  }
}

/** Formats JSON as a code block, with tokens removed from links. */
const block = (value: object) =>
  `\`\`\`json\n${JSON.stringify(value, null, 1).replaceAll(/token=[\w-]+/g, "token=…")}\n\`\`\``;
