// Generates code for a call in several languages, both when the pages are built and in the browser for typed values.

/** An input of a call: a parameter, or a field of a form. */
export type Input = {
  name: string;
  in: "path" | "query" | "header" | "form";
  required: boolean;
  value?: string;
  choices?: string[];
  isFile?: boolean;
  isNumber?: boolean;
  isList?: boolean;
};

/** The values from which a call's code is generated. */
export type Call = {
  method: string;
  path: string;
  credential: "KEY" | "TOKEN" | null;
  idempotent: boolean;
  inputs: Input[];
  /** The JSON of the body, or null if the call sends none. */
  body: string | null;
  /** True if the body is the bytes of a file. */
  sendsFile: boolean;
  returns: "json" | "file" | "nothing";
};

/** Placeholder for the deployment's address, which the Worker fills in. */
export const ORIGIN = "{origin}";

/** First line of samples for the client. The shop serves the package, which is in no registry. */
export const INSTALL = `// npm install ${ORIGIN}/client.tgz`;

const WIDTH = 64;
/** Width of what follows `-d` in a command. */
const NARROW = WIDTH - 8;
const isPlainName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

const pythonNames: Record<string, string> = { null: "None", true: "True", false: "False" };

/** A value as JSON, as JavaScript with bare names, or as Python. It takes one line if that is no wider than `width`. */
function printed(value: unknown, language: "json" | "js" | "python", indent = "", width = WIDTH): string {
  if (value instanceof Verbatim) return value.code;
  if (typeof value !== "object" || value === null) {
    return (language === "python" && pythonNames[String(value)]) || JSON.stringify(value);
  }
  const deeper = `${indent}${language === "python" ? "    " : "  "}`;
  const parts = Array.isArray(value)
    ? value.map((one) => printed(one, language, deeper))
    : Object.entries(value).map(([name, one]) => {
        const key = language === "js" && isPlainName(name) ? name : JSON.stringify(name);
        return `${key}: ${printed(one, language, deeper)}`;
      });
  const padding = language === "python" ? "" : " ";
  const [open, close, space] = Array.isArray(value) ? ["[", "]", ""] : ["{", "}", padding];
  if (parts.length === 0) return open + close;
  const line = `${open}${space}${parts.join(", ")}${space}${close}`;
  if (!line.includes("\n") && indent.length + line.length <= width) return line;
  const last = language === "json" ? "" : ",";
  return `${open}\n${parts.map((part) => deeper + part).join(",\n")}${last}\n${indent}${close}`;
}

/** Code that is inserted into a printed value unchanged. */
class Verbatim {
  readonly code: string;

  constructor(code: string) {
    this.code = code;
  }
}

const sent = ({ inputs }: Call, place: Input["in"]): Input[] =>
  inputs.filter((input) => input.in === place && (input.value !== undefined || (input.isFile && input.required)));

const typed = ({ value = "", isNumber, isList }: Input): unknown => {
  if (isList) return value.split(",").map((one) => (isNumber ? Number(one) : one));
  return isNumber && value !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
};

const valuesOf = (inputs: Input[]): Record<string, unknown> =>
  Object.fromEntries(inputs.map((input) => [input.name, input.isFile ? FILE : typed(input)]));

const FILE = new Verbatim('await openAsBlob("file.bin")');

/** The URL of a call, starting with its path. */
export function addressOf(call: Call): string {
  const path = sent(call, "path").reduce(
    (at, { name, value = "" }) => at.replace(`{${name}}`, encodeURIComponent(value)),
    call.path,
  );
  const query = new URLSearchParams(sent(call, "query").map(({ name, value = "" }) => [name, value])).toString();
  return query ? `${path}?${query}` : path;
}

/** The headers that a caller fills in. */
export const headersOf = (call: Call): Record<string, string> =>
  Object.fromEntries(sent(call, "header").map(({ name, value = "" }) => [name, value]));

const bodyOf = ({ body }: Call): unknown => {
  try {
    return body === null ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
};

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curl(call: Call): string {
  const { method, credential, idempotent, body, sendsFile, returns } = call;
  const form = sent(call, "form");
  const isImplied = method === "get" || (method === "post" && (body !== null || form.length > 0));
  const lines = [
    `curl ${isImplied ? "" : `-X ${method.toUpperCase()} `}"${ORIGIN}${addressOf(call)}"`,
    ...(credential ? [`-H "Authorization: Bearer $${credential}"`] : []),
    ...(idempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...sent(call, "header").map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : ['-H "Content-Type: application/json"', `-d ${quoted(jsonOf(body))}`]),
    ...(sendsFile ? ['-H "Content-Type: application/octet-stream"', "--data-binary @file.bin"] : []),
    ...form.map(({ name, value, isFile }) => `-F ${isFile ? `${name}=@file.bin` : quoted(`${name}=${value}`)}`),
    ...(returns === "file" ? ["-L -OJ"] : []),
  ];
  return lines.join(" \\\n  ");
}

/** A body as it is sent. Text that is not JSON stays as typed. */
function jsonOf(body: string): string {
  try {
    return printed(JSON.parse(body), "json", "", NARROW);
  } catch {
    return body;
  }
}

const opensFile = (call: Call): boolean => call.sendsFile || sent(call, "form").some(({ isFile }) => isFile);

/** The client follows this route's redirect itself. */
const DOWNLOADS = "/api/v1/user/downloads";

function typescript(call: Call): string {
  const { method, path, credential, sendsFile, returns } = call;
  const params = Object.fromEntries(
    (["path", "query", "header"] as const).flatMap((place) => {
      const inputs = sent(call, place);
      return inputs.length === 0 ? [] : [[place, valuesOf(inputs)]];
    }),
  );
  const form = sent(call, "form");
  const body = sendsFile ? FILE : form.length > 0 ? valuesOf(form) : bodyOf(call);
  const options = { ...(Object.keys(params).length > 0 && { params }), ...(body !== undefined && { body }) };
  const rest = Object.keys(options).length === 0 ? "" : `, ${printed(options, "js", "", 0)}`;
  const received = { json: "const { data } = ", file: "const { response } = ", nothing: "" };
  const request =
    path === DOWNLOADS
      ? "const file = await shop.download(1);"
      : `${received[returns]}await shop.${method.toUpperCase()}("${path}"${rest});`;
  const start = { baseUrl: ORIGIN, ...(credential && { credential: new Verbatim(`process.env.${credential}`) }) };
  return `${INSTALL}
${opensFile(call) ? 'import { openAsBlob } from "node:fs";\n' : ""}import { createStorefront } from "@storefront-worker/api/client";

const shop = createStorefront(${printed(start, "js")});
${request}`;
}

function fetches(call: Call): string {
  const { method, credential, idempotent, body, sendsFile, returns } = call;
  const form = sent(call, "form");
  const headers = {
    ...(credential && { Authorization: new Verbatim(`\`Bearer \${process.env.${credential}}\``) }),
    ...(body !== null && { "Content-Type": "application/json" }),
    ...(sendsFile && { "Content-Type": "application/octet-stream" }),
    ...(idempotent && { "Idempotency-Key": new Verbatim("crypto.randomUUID()") }),
    ...headersOf(call),
  };
  const content = form.length > 0 ? "form" : sendsFile ? FILE.code : bodyCode(call);
  const options = {
    ...(method !== "get" && { method: method.toUpperCase() }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(content && { body: new Verbatim(content) }),
  };
  const rest = Object.keys(options).length === 0 ? "" : `, ${printed(options, "js", "", 0)}`;
  const answer = { json: "\nconst { data } = await response.json();", file: "\nconst file = await response.blob();" };
  return [
    ...(opensFile(call) ? ['import { openAsBlob } from "node:fs";\n'] : []),
    ...(form.length > 0 ? ["const form = new FormData();"] : []),
    ...form.map(({ name, value, isFile }) => {
      return `form.append("${name}", ${isFile ? `${FILE.code}, "file.bin"` : JSON.stringify(value)});`;
    }),
    `const response = await fetch("${ORIGIN}${addressOf(call)}"${rest});${returns === "nothing" ? "" : answer[returns]}`,
  ].join("\n");
}

function bodyCode(call: Call): string | undefined {
  const body = bodyOf(call);
  return body === undefined ? undefined : `JSON.stringify(${printed(body, "js", "  ")})`;
}

function python(call: Call): string {
  const { method, credential, idempotent, sendsFile, returns } = call;
  const [fields, files] = [false, true].map((isFile) => sent(call, "form").filter((input) => !input.isFile !== isFile));
  const headers = {
    ...(credential && { Authorization: new Verbatim(`f"Bearer {os.environ['${credential}']}"`) }),
    ...(sendsFile && { "Content-Type": "application/octet-stream" }),
    ...(idempotent && { "Idempotency-Key": new Verbatim("str(uuid.uuid4())") }),
    ...headersOf(call),
  };
  const content = new Verbatim('open("file.bin", "rb")');
  const form = Object.fromEntries((fields ?? []).map((input) => [input.name, typed(input)]));
  const options = {
    ...(Object.keys(headers).length > 0 && { headers }),
    json: bodyOf(call),
    ...(Object.keys(form).length > 0 && { data: form }),
    ...(sendsFile && { data: content }),
    ...(files?.length && { files: Object.fromEntries(files.map(({ name }) => [name, content])) }),
  };
  const lines = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`\n    ${name}=${printed(value, "python", "    ")},`],
  );
  const answer = { json: '\ndata = response.json()["data"]', file: "\nfile = response.content", nothing: "" };
  return [
    "# pip install requests",
    ...(credential ? ["import os"] : []),
    ...(idempotent ? ["import uuid"] : []),
    `import requests

response = requests.${method}(
    "${ORIGIN}${addressOf(call)}",${lines.join("")}
)
response.raise_for_status()${answer[returns]}`,
  ].join("\n");
}

/** Languages by the name under which a reader's choice is stored. */
export const languages: Record<string, { label: string; write: (call: Call) => string }> = {
  curl: { label: "curl", write: curl },
  typescript: { label: "TypeScript client", write: typescript },
  fetch: { label: "fetch", write: fetches },
  python: { label: "Python", write: python },
};
