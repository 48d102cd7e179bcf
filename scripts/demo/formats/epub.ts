import { zip } from "./zip.ts";

export type Chapter = { title: string; sections: { heading: string; lines: string[] }[] };

type Book = { title: string; author: string; chapters: Chapter[] };

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const page = (title: string, body: string) => `<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en">
<head><title>${escaped(title)}</title></head><body>${body}</body></html>
`;

const container = `<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
`;

const chapterPage = ({ title, sections }: Chapter) => {
  const parts = sections.map(({ heading, lines }) => {
    const paragraphs = lines.map((line) => `<p>${escaped(line)}</p>`).join("");
    return `<h2>${escaped(heading)}</h2>${paragraphs}`;
  });
  return page(title, `<h1>${escaped(title)}</h1>${parts.join("")}`);
};

const contents = ({ title, chapters }: Book) => {
  const items = chapters.map((chapter, index) => `<li><a href="${index + 1}.xhtml">${escaped(chapter.title)}</a></li>`);
  return page(title, `<nav epub:type="toc"><h1>Contents</h1><ol>${items.join("")}</ol></nav>`);
};

const description = ({ title, author, chapters }: Book) => `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">${escaped(title)}</dc:identifier><dc:title>${escaped(title)}</dc:title>
<dc:creator>${escaped(author)}</dc:creator><dc:language>en</dc:language>
<meta property="dcterms:modified">2024-01-01T00:00:00Z</meta></metadata>
<manifest><item id="contents" href="contents.xhtml" media-type="application/xhtml+xml" properties="nav"/>
${chapters.map((_, index) => `<item id="c${index + 1}" href="${index + 1}.xhtml" media-type="application/xhtml+xml"/>`).join("")}</manifest>
<spine>${chapters.map((_, index) => `<itemref idref="c${index + 1}"/>`).join("")}</spine></package>
`;

/** An EPUB 3 book. Its first entry must be the uncompressed type. */
export const epub = (book: Book): Uint8Array => {
  const entries = {
    mimetype: "application/epub+zip",
    "META-INF/container.xml": container,
    "book.opf": description(book),
    "contents.xhtml": contents(book),
    ...Object.fromEntries(book.chapters.map((chapter, index) => [`${index + 1}.xhtml`, chapterPage(chapter)])),
  };
  return zip(Object.entries(entries).map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) })));
};
