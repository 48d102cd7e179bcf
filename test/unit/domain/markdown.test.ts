import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../scripts/fuzz/any-character.ts";
import { htmlOfMarkdown, lineOfMarkdown } from "../../../src/domain/markdown.ts";

const EXPECTED = [
  ["First.\n\nSecond,\nwith a new line.", "<p>First.</p>\n<p>Second,<br>\nwith a new line.</p>"],
  [
    "**bold** and *italic* and ***both***",
    "<p><strong>bold</strong> and <em>italic</em> and <em><strong>both</strong></em></p>",
  ],
  [
    "- one\n- two\n\n3. three\n4. four",
    '<ul><li>one</li>\n<li>two</li>\n</ul>\n<ol start="3"><li>three</li>\n<li>four</li>\n</ol>',
  ],
  ["# Care\n## Care\n### Washing\n###### Drying", "<h2>Care</h2>\n<h2>Care</h2>\n<h3>Washing</h3>\n<h3>Drying</h3>"],
  [
    "[guide](https://a.test/?a=1&b=2)",
    '<p><a href="https://a.test/?a=1&amp;b=2" rel="nofollow noopener">guide</a></p>',
  ],
  ["[here](/sizes) [write](mailto:a@b.test)", '<p><a href="/sizes">here</a> <a href="mailto:a@b.test">write</a></p>'],
  ["<b onclick=x>&amp;</b> <!-- a -->", "<p>&lt;b onclick=x&gt;&amp;amp;&lt;/b&gt; &lt;!-- a --&gt;</p>"],
  ["![x](https://a.test/a.png)", '<p>!<a href="https://a.test/a.png" rel="nofollow noopener">x</a></p>'],
  ["    indented\n> quoted\n```\ncode", "<p>indented<br>\n&gt; quoted<br>\n```<br>\ncode</p>"],
  ["5 * 3 * 2 of snake_case_names at 100%", "<p>5 * 3 * 2 of snake_case_names at 100%</p>"],
  ["  \n\n", ""],
] as const;

it.each(EXPECTED)("writes %j as HTML", (markdown, html) => {
  expect(htmlOfMarkdown(markdown)).toBe(html);
});

it("writes a line of plain text without the formatting", () => {
  expect(lineOfMarkdown("## Care\nWash *cold*,\n\n- **dry** [flat](https://a.test)\n- iron\\*")).toBe(
    "Care Wash cold, dry flat iron*",
  );
});

describe("links", () => {
  const REFUSED = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "javascript&colon;alert(1)",
    "&#106;avascript:alert(1)",
    "&#x6A&#x61;vascript:alert(1)",
    "java&Tab;script:alert(1)",
    "java&#10;script:alert(1)",
    "&#1;javascript:alert(1)",
    "<java\tscript:alert(1)>",
    "< javascript:alert(1)>",
    "\u00a0javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "blob:https://a.test/1",
    "ftp://a.test",
    "tel:123",
  ];

  it.each(REFUSED)("do not lead to %j", (address) => {
    const html = htmlOfMarkdown(`[click](${address})`);
    const [, href] = /href="([^"]*)"/.exec(html) ?? [];
    // Browsers treat the rest as a path.
    if (href !== undefined)
      expect(new URL(href.replaceAll("&amp;", "&"), "https://shop.test").origin).toBe("https://shop.test");
    else expect(html).not.toContain("<a");
  });

  it("keep the quotes of a URL within its attribute", () => {
    expect(htmlOfMarkdown('[a](https://a.test/"onmouseover="x)')).not.toMatch(/" ?onmouseover/);
    expect(htmlOfMarkdown(`[a](/b 'a title" onclick="x')`)).toBe('<p><a href="/b">a</a></p>');
  });
});

const TAG =
  /<(?:(?:p|strong|em|ul|ol|li|h2|h3)|\/(?:p|strong|em|ul|ol|li|h2|h3|a)|br|ol start="\d{1,9}"|a href="[^"<>]*"(?: rel="nofollow noopener")?)>/g;

/** Tags that are left open, or closed in the wrong order. */
function misnested(html: string): string[] {
  const open: string[] = [];
  for (const [, end, name = ""] of html.matchAll(/<(\/?)(\w+)/g)) {
    if (name === "br") continue;
    if (end && open.pop() !== name) return [name];
    if (!end) open.push(name);
  }
  return open;
}

it("consists of the allowed tags, whatever is written", () => {
  const pieces = [
    ..."*_[]()<>!&;:/\\\"'`~#+-=|{}.0123 \t\n\r\0".split(""),
    ...[
      "**",
      "](",
      "](<",
      "javascript:",
      "https://",
      "mailto:",
      "&colon;",
      "&#x6a;",
      "&lt;",
      "<script>",
      "<!--",
      "-->",
    ],
    ...[
      "<a href=",
      "onerror=",
      "data:",
      "//",
      "\n\n",
      "\n- ",
      "\n1. ",
      "\n    ",
      "# ",
      "a",
      "é",
      "\ud83d\ude00",
      "\ud800",
    ],
  ];
  const markdown = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: anyCharacter, maxLength: 3 })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(markdown, (parts) => {
      const html = htmlOfMarkdown(parts.join(""));
      const rest = html.replaceAll(TAG, "");
      expect(rest).not.toMatch(/[<>"]/);
      expect(rest.replaceAll(/&(amp|lt|gt|quot);/g, "")).not.toContain("&");
      expect(misnested(html)).toEqual([]);
      for (const [, href = ""] of html.matchAll(/href="([^"]*)"/g)) {
        expect(new URL(href.replaceAll("&amp;", "&"), "https://shop.test").protocol).toMatch(/^(https?|mailto):$/);
      }
    }),
    { numRuns: 3_000 },
  );
});

/** Number of characters that the parser reads. */
function readsOf(markdown: string): number {
  const { charCodeAt } = String.prototype;
  let reads = 0;
  String.prototype.charCodeAt = function (at) {
    reads += 1;
    return charCodeAt.call(this, at);
  };
  try {
    htmlOfMarkdown(markdown);
  } finally {
    String.prototype.charCodeAt = charCodeAt;
  }
  return reads;
}

describe("the work for a text", () => {
  const PATTERNS = "[|![|[](|[a](|[a](<b|*a |**a_b*c__|*_|_a __b|\\|- |1. |> |# |&amp;|a|a\n|<|](b)".split("|");
  const texts = (length: number) => [
    ...PATTERNS.map((pattern) => pattern.repeat(length / pattern.length)),
    "[".repeat(length / 2) + "]".repeat(length / 2),
    `[a](${"(".repeat(length)}`,
    Array.from({ length: Math.sqrt(2 * length) }, (_, depth) => `${" ".repeat(depth)}- x`).join("\n"),
  ];
  const [half, whole] = [texts(5_000), texts(10_000)];

  it.each(whole.map((text, at) => [text.slice(0, 8), text, half[at] ?? ""]))(
    "doubles with a text of %j",
    (_, text, part) => {
      expect(readsOf(text)).toBeLessThan(2.5 * readsOf(part) + 1_000);
    },
  );
});
