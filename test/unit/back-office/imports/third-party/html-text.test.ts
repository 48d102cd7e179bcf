import { expect, it } from "vitest";
import { lineOfText, textOfHtml } from "../../../../../src/back-office/imports/third-party/html-text.ts";

it.each([
  ["<p>One</p><p>Two<br>Three</p>", "One\n\nTwo\nThree"],
  ["<UL>\n<li class='x'>A</li>\n<li>B</li></UL>After", "- A\n\n- B\n\nAfter"],
  ["Plain\ntext, 5 < 6 & 7 > 2", "Plain\ntext, 5 < 6 & 7 > 2"],
  ["a <script>alert('<p>')</script>b<style>p {}</style><!-- <p>no</p> -->c", "a bc"],
  ["open <script>alert(1)", "open"],
  ["Caf&eacute; &amp;lt; &#8211; &#x2014; &lt;b&gt; &nosuch; &toString;", "Café &lt; – — <b> &nosuch; &toString;"],
  ["&#0;&#xD800;&#x110000;.", "\ufffd\ufffd\ufffd."],
  ["&Aacute;rbol, 5&frac12; &scaron; &dagger; &rarr; &infin; &alpha; &#128;", "Árbol, 5½ š † → ∞ α €"],
  ["https://shop.example/?a=1&copy=2&lt;", "https://shop.example/?a=1&copy=2<"],
  ["a\u0000b\u0007\u0085c\u00add&shy;", "a b cd"],
  ["<table><tr><td>Size</td><td>L</td></tr><tr><td>Cut</td></tr></table>", "Size L\n\nCut"],
  ["&nbsp;  many \t spaces <b>here</b> ", "many spaces here"],
])("reads %j", (html, text) => {
  expect(textOfHtml(html)).toBe(text);
});

// In quadratic time this would not end.
it.each(["<a", "<!--", "<p ", "&", "<script>", "<a <"])("reads a million characters of %j", (part) => {
  expect(textOfHtml(part.repeat(1_000_000 / part.length))).toBeTypeOf("string");
});

it.each([
  ["Salt &amp; pepper", "Salt & pepper"],
  ["&amp;amp;", "&amp;"],
  [" Tea\n\u0001for&nbsp;&#9;two ", "Tea for two"],
])("reads the line %j", (cell, text) => {
  expect(lineOfText(cell)).toBe(text);
});
