import { expect, it } from "vitest";
import { lineOfText, markdownOfHtml } from "../../../src/domain/html-markdown.ts";
import { htmlOfMarkdown } from "../../../src/domain/markdown.ts";

it.each([
  ["<p>One</p><p>Two<br>Three</p>", "One\n\nTwo\nThree"],
  ["<UL>\n<li class='x'>A</li>\n<li>B</li></UL>After", "- A\n- B\n\nAfter"],
  ["Plain\ntext, 5 < 6 & 7 > 2", "Plain\ntext, 5 < 6 & 7 > 2"],
  ["a <script>alert('<p>')</script>b<style>p {}</style><!-- <p>no</p> -->c", "a bc"],
  ["open <script>alert(1)", "open"],
  ["Caf&eacute; &amp;lt; &#8211; &#x2014; &lt;b&gt; &nosuch; &toString;", "Café &lt; – — <b> &nosuch; &toString;"],
  ["&#0;&#xD800;&#x110000;.", "\ufffd\ufffd\ufffd."],
  ["&Aacute;rbol, 5&frac12; &scaron; &dagger; &rarr; &infin; &alpha; &#128;", "Árbol, 5½ š † → ∞ α €"],
  ["https://shop.example/?a=1&copy=2&lt;", "https://shop.example/?a=1&copy=2<"],
  ["a\u0000b\u0007\u0085c\u00add&shy;", "a b cd"],
  ["<table><tr><td>Size</td><td>L</td></tr><tr><td>Cut</td></tr></table>", "Size L\n\nCut"],
  ["&nbsp;  many \t spaces <b>here</b> ", "many spaces **here**"],
  ["<b> Bold </b>and <em>i</em>, <strong><i>both</i></strong>", "**Bold** and *i*, ***both***"],
  ["<b>Material:</b>Wool", "**Material:** Wool"],
  ["<b>one<p>two</p></b>three<i></i>", "**one**\n\n**two**\n\nthree"],
  ["<h1>Care</h1><h4><b>Wash</b></h4><p>Cold", "## Care\n\n### Wash\n\nCold"],
  ["<ol><li>A<ul><li>B</li></ul></li><li><p>C</p></li></ol>", "1. A\n    - B\n2. C"],
  [
    "<a href='https://a.test/x (1)' title=x>A <b>b</b></a>",
    "[A](https://a.test/x%20%281%29) [**b**](https://a.test/x%20%281%29)",
  ],
  ["<a href=&#106;avascript:alert(1)>A</a><a name=x>B</a> <a href='#top'>C</a>", "AB C"],
  ["2*3 snake_case _x_ [a](b) C:\\*", "2\\*3 snake_case \\_x\\_ [a]\\(b) C:\\\\\\*"],
  ["# 5 &#xe002;a&#xe000;", "\\# 5 a"],
])("reads %j", (html, text) => {
  expect(markdownOfHtml(html)).toBe(text);
});

it("keeps lists, links and bold text until they are displayed", () => {
  const html = '<p>Soft <strong>cotton</strong>.</p><ul><li>Light</li><li>See <a href="/sizes">sizes</a></li></ul>';
  expect(htmlOfMarkdown(markdownOfHtml(html))).toBe(
    '<p>Soft <strong>cotton</strong>.</p>\n<ul><li>Light</li>\n<li>See <a href="/sizes">sizes</a></li>\n</ul>',
  );
});

// In quadratic time this would not end.
it.each(["<a", "<!--", "<p ", "&", "<script>", "<a <"])("reads a million characters of %j", (part) => {
  expect(markdownOfHtml(part.repeat(1_000_000 / part.length))).toBeTypeOf("string");
});

it.each([
  ["Salt &amp; pepper", "Salt & pepper"],
  ["&amp;amp;", "&amp;"],
  [" Tea\n\u0001for&nbsp;&#9;two ", "Tea for two"],
])("reads the line %j", (cell, text) => {
  expect(lineOfText(cell)).toBe(text);
});
