import { existsSync, readFileSync } from "node:fs";
import { html } from "hono/html";
import { INSTALL } from "./code.ts";
import { type Html, prose, tabs } from "./text.ts";

const FOLDER = "examples/integrations";

/** A program in each language that it is written in. */
function program(name: string): Html {
  const files = [
    { language: "typescript", label: "TypeScript", file: `${name}.ts`, start: `${INSTALL}\n` },
    { language: "python", label: "Python", file: `${name.replaceAll("-", "_")}.py`, start: "" },
    { language: "php", label: "PHP", file: `${name}.php`, start: "" },
  ].map((one) => ({ ...one, path: `${FOLDER}/${one.language}/${one.file}` }));
  const written = files.filter(({ path }) => existsSync(path));
  return tabs(
    name,
    written.map(({ path, start, ...one }) => ({ ...one, code: start + readFileSync(path, "utf8") })),
  );
}

function paragraph(text: string): Html {
  const [, name] = /^Program: `(.+)`$/.exec(text) ?? [];
  return name === undefined ? html`<p>${prose(text)}</p>` : program(name);
}

const [intro, ...sections] = readFileSync(`${FOLDER}/README.md`, "utf8")
  .split(/^##? /m)
  .slice(1)
  .map((part) => {
    const [title = "", ...paragraphs] = part.trim().split("\n\n");
    return { title, body: paragraphs.map(paragraph) };
  });

/** The README of the example integrations, with their programs. */
export const integrations = {
  slug: "integrations",
  title: intro?.title ?? "",
  body: html`<h1>${intro?.title}</h1>
${intro?.body}
${sections.map(({ title, body }) => html`<section><h2>${title}</h2>${body}</section>`)}`,
};
