import { type Content, type OpenApi, operationsOf } from "../shape.ts";
import { validatorOf } from "../validator.ts";

/** Messages for examples that do not match the schema: a missing or an extra field. */
export function misfits(document: OpenApi): string[] {
  const complaint = validatorOf(document);
  return [...placedExamples(document)].flatMap(({ what, place, example }) => {
    const words = complaint([...place, "schema"], example);
    return words === null ? [] : [`The example of ${what} does not fit: ${words}`];
  });
}

function* placedExamples(document: OpenApi) {
  for (const [id, { path, method, requestBody, responses }] of operationsOf(document)) {
    const operation = ["paths", path, method];
    yield* examplesOf(`the request of ${id}`, [...operation, "requestBody"], requestBody);
    for (const [status, response] of Object.entries(responses)) {
      yield* examplesOf(`the answer of ${id}`, [...operation, "responses", status], response);
    }
  }
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    yield* examplesOf(`the webhook ${type}`, ["webhooks", type, "post", "requestBody"], post.requestBody);
  }
  for (const [name, response] of Object.entries(document.components.responses)) {
    yield* examplesOf(`the refusal ${name}`, ["components", "responses", name], response);
  }
}

function* examplesOf(what: string, place: string[], holder: { content?: Content } | undefined) {
  for (const [type, { example }] of Object.entries(holder?.content ?? {})) {
    if (example !== undefined) yield { what, place: [...place, "content", type], example };
  }
}
