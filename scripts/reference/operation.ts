import { html } from "hono/html";
import { type RefusalCode, refusalCodes } from "../../src/domain/error-codes.ts";
import { nameOf, resolve } from "../openapi/published.ts";
import { commonCodes } from "../openapi/refusals.ts";
import { credentialOf, type JsonSchema, type Parameter, type Response } from "../openapi/shape.ts";
import { type Call, type Input, languages } from "./code.ts";
import { groups, type Route } from "./document.ts";
import { type Field, fieldList, fieldsOf, type Objects, typeOf } from "./fields.ts";
import { codeBlock, type Html, prose, tabs } from "./text.ts";

const JSON_TYPE = "application/json";
const FORM = "multipart/form-data";

/** Headers that every operation accepts, or that the code sends automatically. The conventions page explains them. */
const UNSHOWN = ["X-D1-Bookmark", "API-Version"];

const parametersOf = ({ parameters = [] }: Route): Parameter[] =>
  parameters.map(resolve).filter(({ name }) => !UNSHOWN.includes(name));

/** The call of an operation with its recorded example. */
export function callOf(route: Route): Call {
  const parameters = parametersOf(route);
  const content = route.requestBody?.content ?? {};
  const { schema: form } = content[FORM] ?? {};
  const [success] = Object.values(route.responses).map(resolve);
  const data = success?.content?.[JSON_TYPE]?.schema.properties?.data;
  return {
    method: route.method,
    path: route.path,
    credential: credentialOf(route),
    idempotent: parameters.some(({ name }) => name === "Idempotency-Key"),
    inputs: [...parameters.flatMap(inputOf), ...(form ? formInputs(form) : [])],
    body: content[JSON_TYPE] ? JSON.stringify(content[JSON_TYPE].example ?? {}) : null,
    sendsFile: Boolean(content["application/octet-stream"]),
    returns: data && data.type !== "null" ? "json" : success?.content?.["*/*"] ? "file" : "nothing",
  };
}

function inputOf({ in: place, name, schema, required = false, example }: Parameter): Input[] {
  if ((place !== "path" && place !== "query" && place !== "header") || name === "Idempotency-Key") return [];
  const value = String(example ?? schema.enum?.[0] ?? "1");
  return [{ name, in: place, required, ...kindOf(schema), ...(required && { value }) }];
}

const kindOf = (schema: JsonSchema) => ({
  ...(isNumeric(schema) && { isNumber: true }),
  ...(schema.enum && { choices: schema.enum.map(String) }),
});

const isNumeric = ({ type }: JsonSchema): boolean => type === "integer" || type === "number";

/** The service reads a form as a stream, so its file comes last. */
const formInputs = ({ properties = {}, required = [] }: JsonSchema): Input[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "form",
    required: required.includes(name),
    ...(schema.format === "binary" && { isFile: true }),
    ...(schema.type === "array" && { isList: true }),
    ...kindOf(schema.items ?? schema),
    ...(required.includes(name) && schema.enum && { value: String(schema.enum[0]) }),
  }));

/** An operation: its input and output, next to its code and response, or above them on narrow screens. */
export function operationSection(route: Route, objects: Objects): Html {
  const { operationId, summary, description, method, path } = route;
  const call = callOf(route);
  const isForProviders = route.security.length === 0;
  const [[status, answer] = ["200", { description: "" }]] = Object.entries(route.responses);
  const example = resolve(answer).content?.[JSON_TYPE]?.example;
  return html`<section class="operation" id="${operationId}"${isForProviders ? "" : html` data-call="${JSON.stringify(call)}"`}>
<div class="said">
<h2><a href="#${operationId}">${summary}</a></h2>
<p class="route"><span class="method ${method}">${method}</span> <code>${breakable(path)}</code></p>
${description ? html`<p>${prose(description)}</p>` : ""}
</div>
<div class="shown">
${isForProviders ? "" : codeTabs(operationId, call)}
${example === undefined ? "" : codeBlock(`Response ${status}`, JSON.stringify(example, null, 2))}
</div>
<div class="details">
${parameterLists(route, objects)}
${bodyFields(route, objects)}
<h3>Response</h3>
${Object.entries(route.responses)
  .filter(([code]) => code < "400")
  .map(([code, response]) => success(code, resolve(response), objects))}
${failures(route)}
</div>
</section>`;
}

/** A path that may break after its slashes. */
const breakable = (path: string): Html => html`${path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)}`;

const PLACES = { path: "Path parameters", query: "Query parameters", header: "Headers" };

function parameterLists(route: Route, objects: Objects): Html[] {
  const parameters = parametersOf(route);
  return Object.entries(PLACES).flatMap(([place, title]) => {
    const fields = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required = false, description }): Field => ({ name, schema, required, description }));
    return fields.length === 0 ? [] : [html`<h3>${title}</h3>${fieldList(fields, objects)}`];
  });
}

function bodyFields({ requestBody }: Route, objects: Objects): Html {
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  if (!media) return html``;
  const schema = resolve(media.schema);
  const list = schema.properties ? fieldsOf(schema, objects) : html`<p>${typeOf(schema, objects)}</p>`;
  return html`<h3>Body${type === JSON_TYPE ? "" : html` <span class="type">${type}</span>`}</h3>${list}`;
}

function success(status: string, { description, content, headers = {} }: Response, objects: Objects): Html {
  const { data, pagination } = content?.[JSON_TYPE]?.schema.properties ?? {};
  const row = data?.items ?? data;
  const isPlace = row?.properties && !row.$ref;
  return html`<p><span class="status">${status}</span> ${description}${
    data ? html`. <code>data</code> is ${pagination ? "a " : ""}${typeOf(data, objects)}` : ""
  }.</p>
${isPlace ? html`<details><summary>Fields of <code>data</code></summary>${fieldsOf(row, objects, true)}</details>` : ""}
${
  Object.keys(headers).length > 0
    ? html`<p class="headers"><a href="/docs/conventions#headers">Headers</a>: ${Object.keys(headers).join(", ")}</p>`
    : ""
}`;
}

/** The errors that an operation explains itself, and a button for each status that explains the rest. */
function failures({ responses }: Route): Html {
  const statuses = Object.entries(responses).filter(([status]) => status >= "400");
  const own = statuses.flatMap(([status, response]) => ownCodes(status, response).map((code) => ({ status, code })));
  const buttons = statuses.map(
    ([status]) => html`<li><button type="button" class="status bad" popovertarget="error-${status}"
>${status}<span class="unseen"> ${nameOfStatus(status)}</span></button></li>`,
  );
  return html`${statuses.length > 0 ? html`<h3>Errors</h3>` : ""}
${
  own.length > 0
    ? html`<dl class="fields">${own.map(
        ({ status, code }) => html`<div><dt><span class="status bad">${status}</span> <code>${code}</code></dt>
<dd><p>${prose(refusalCodes[code])}.</p></dd></div>`,
      )}</dl>`
    : ""
}
${buttons.length > 0 ? html`<ul class="failures" aria-label="Errors by status">${buttons}</ul>` : ""}`;
}

/** Codes of an error that not every operation has. */
function ownCodes(status: string, response: Response): RefusalCode[] {
  const codes = resolve(response).content?.[JSON_TYPE]?.schema.properties?.code?.enum ?? [];
  return Object.keys(refusalCodes)
    .filter((code): code is RefusalCode => codes.includes(code))
    .filter((code) => !commonCodes[status]?.includes(code));
}

const words = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The error of each status that all operations share. */
export const errorsByStatus: Map<string, Response> = new Map(
  groups
    .flatMap(({ routes }) => routes.flatMap(({ responses }) => Object.entries(responses)))
    .filter(([status, { $ref }]) => status >= "400" && $ref),
);

const nameOfStatus = (status: string): string => words(nameOf(errorsByStatus.get(status)?.$ref ?? ""));

/** Examples of a group's errors, for its operations' buttons. */
export function errorPopovers(routes: Route[]): Html[] {
  const statuses = new Set(routes.flatMap(({ responses }) => Object.keys(responses)));
  return [...errorsByStatus]
    .filter(([status]) => statuses.has(status))
    .map(
      ([status, response]) =>
        html`<div popover id="error-${status}" class="error" aria-label="Error ${status}">${errorWords(status, response)}
<p><a href="/docs/errors">All errors</a></p></div>`,
    );
}

/** An error with a real example of its body. */
export function errorWords(status: string, response: Response): Html {
  const { description, content } = resolve(response);
  return html`<p><span class="status bad">${status}</span> <strong>${words(nameOf(response.$ref ?? ""))}</strong></p>
<p>${prose(description)}.</p>
${codeBlock("Response", JSON.stringify(content?.[JSON_TYPE]?.example, null, 2))}`;
}

const codeTabs = (id: string, call: Call): Html =>
  tabs(
    id,
    Object.entries(languages).map(([language, { label, write }]) => ({ language, label, code: write(call) })),
  );
