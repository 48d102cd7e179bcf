import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
const guides = globSync(["*.md", "docs/*.md", "examples/*/*.md"]);

/** Anchors of headings, as GitHub generates them. */
const anchorsOf = (guide: string): string[] =>
  [...readFileSync(guide, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );

describe.each(guides)("%s", (guide) => {
  const text = readFileSync(guide, "utf8");

  it("links to files and headings that exist", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
    const broken = links.filter(([, path, anchor]) => {
      const target = path ? join(dirname(guide), path) : guide;
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it("names files of the project that exist", () => {
    const named = [
      ...text.matchAll(/`((?:src|test|scripts|migrations|examples|docs)\/[\w./-]*)`((?:, `[\w-]+\.tsx?`)*)/g),
    ];
    const base = guide.startsWith("examples/") ? dirname(guide) : ".";
    const paths = named.flatMap(([, path = "", others = ""]) => [
      path,
      ...[...others.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => join(dirname(path), name)),
    ]);
    expect(paths.filter((path) => !existsSync(join(base, path)))).toEqual([]);
  });

  it("names scripts that package.json has", () => {
    const named = [...text.matchAll(/npm run (?:-\S+ )*([a-z:-]+)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

it("links to each guide from the README", () => {
  const readme = readFileSync("README.md", "utf8");
  expect(globSync("docs/*.md").filter((guide) => !readme.includes(`(${guide})`))).toEqual([]);
});
