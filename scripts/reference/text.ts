import { html } from "hono/html";

export type Html = ReturnType<typeof html>;

/** Words with `code` and **bold** parts. */
export const prose = (text: string): Html =>
  html`${text.split(/(\*\*.+?\*\*|`.+?`)/s).map((part) => {
    if (part.startsWith("**")) return html`<strong>${prose(part.slice(2, -2))}</strong>`;
    return part.startsWith("`") ? html`<code>${part.slice(1, -1)}</code>` : part;
  })}`;

/** A block of code with a caption. Script adds a button that copies it. */
export const codeBlock = (caption: string, code: string): Html => html`<figure class="code">
<figcaption>${caption}</figcaption>
<pre tabindex="0"><code>${code}</code></pre>
</figure>`;

/** Code in several languages, with one shown. Radio buttons work without script. */
export const tabs = (id: string, blocks: { language: string; label: string; code: string }[]): Html =>
  html`<div class="tabs"><fieldset><legend class="unseen">Language</legend>${blocks.map(
    ({ language, label }, index) =>
      html`<label><input type="radio" name="language-${id}" value="${language}"${index === 0 ? " checked" : ""}> ${label}</label>`,
  )}</fieldset>
${blocks.map(
  ({ language, code }) =>
    html`<div class="code" data-language="${language}"><pre tabindex="0"><code>${code}</code></pre></div>`,
)}</div>`;
