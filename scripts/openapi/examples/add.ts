import { type Content, type OpenApi, type Operation, operationsOf } from "../shape.ts";

/** Recorded parameters, and a request and response if they are JSON. */
export type Example = { parameters?: Record<string, string | number>; request?: unknown; response?: unknown };

/** Examples by operation, refusals by status, and webhook requests by event type. */
export type RecordedExchange = {
  operations: Record<string, Example>;
  refusals: Record<string, unknown>;
  webhooks: Record<string, unknown>;
};

const JSON_TYPE = "application/json";

const responseOf = ({ responses }: Operation) => responses["200"] ?? responses["201"];

/** Adds the recorded examples to the document. Returns a message for each missing or unused one. */
export function addExamples(document: OpenApi, { operations, refusals, webhooks }: RecordedExchange): string[] {
  const problems: string[] = [];
  const put = (what: string, content: Content | undefined, example: unknown) => {
    const media = content?.[JSON_TYPE];
    if (media && example !== undefined) media.example = example;
    else if (media) problems.push(`${what} has no example`);
    else if (example !== undefined) problems.push(`${what} has an example, and is not JSON`);
  };
  const known = operationsOf(document);
  for (const [id, operation] of known) {
    const example = operations[id];
    if (!example) problems.push(`${id} was never recorded`);
    for (const parameter of operation.parameters ?? []) {
      const value = parameter.required ? example?.parameters?.[parameter.name] : undefined;
      if (value !== undefined) parameter.example = parameter.schema.type === "integer" ? Number(value) : value;
    }
    put(`The request of ${id}`, operation.requestBody?.content, example?.request);
    put(`The answer of ${id}`, responseOf(operation)?.content, example?.response);
  }
  for (const id of Object.keys(operations)) {
    if (!known.has(id)) problems.push(`There is an example of ${id}, which is no operation`);
  }
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    put(`The webhook ${type}`, post.requestBody.content, webhooks[type]);
  }
  return [...problems, ...addRefusals(document, refusals)];
}

/** Errors are the same for every operation. Returns a message for each without an example. */
function addRefusals(document: OpenApi, refusals: RecordedExchange["refusals"]): string[] {
  for (const { responses } of operationsOf(document).values()) {
    for (const [status, response] of Object.entries(responses)) {
      const name = "$ref" in response ? String(response.$ref).split("/").at(-1) : undefined;
      const media = document.components.responses[name ?? ""]?.content?.[JSON_TYPE];
      if (media && refusals[status] !== undefined) media.example = refusals[status];
    }
  }
  return Object.entries(document.components.responses)
    .filter(([, { content }]) => content?.[JSON_TYPE] && content[JSON_TYPE].example === undefined)
    .map(([name]) => `The refusal ${name} has no example`);
}
