import { describe, expect, it } from "vitest";
import { unreleasedNotes, webAddress, withRelease } from "../../../../scripts/release/changelog.ts";
import { compareVersions, nextVersion, releasedVersions } from "../../../../scripts/release/versions.ts";

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Pens.

## [1.0.0] - 2026-11-27

- Everything.
`;

describe("a release's entry", () => {
  it("is the text under Unreleased", () => {
    expect(unreleasedNotes(CHANGELOG)).toBe("### Added\n\n- Pens.");
    expect(withRelease(CHANGELOG, "1.1.0", "2026-12-24")).toBe(
      CHANGELOG.replace("## [Unreleased]", "## [Unreleased]\n\n## [1.1.0] - 2026-12-24"),
    );
    expect(releasedVersions(withRelease(CHANGELOG, "1.1.0", "2026-12-24"))).toEqual(["1.1.0", "1.0.0"]);
  });

  it("is empty right after a release, also if links follow", () => {
    const repository = "https://git.example/shop";
    const once = withRelease(CHANGELOG, "1.1.0", "2026-12-24", repository);
    expect(unreleasedNotes(once)).toBe("");
    expect(
      once.endsWith(`- Everything.

[Unreleased]: ${repository}/compare/v1.1.0...HEAD
[1.1.0]: ${repository}/compare/v1.0.0...v1.1.0
[1.0.0]: ${repository}/releases/tag/v1.0.0
`),
    ).toBe(true);
    expect(withRelease(once, "2.0.0", "2027-01-01", repository).match(/^\[/gm)).toHaveLength(4);
  });

  it("has links only for a repository on the web", () => {
    expect(webAddress("git@github.com:acme/shop.git")).toBe("https://github.com/acme/shop");
    expect(webAddress("https://token@github.com/acme/shop")).toBe("https://github.com/acme/shop");
    expect(webAddress("/srv/shop")).toBeUndefined();
  });
});

it.each([
  ["major", "2.0.0"],
  ["minor", "1.10.0"],
  ["patch", "1.9.10"],
  ["1.12.0", "1.12.0"],
])("makes the %s version after 1.9.9", (wanted, version) => {
  expect(nextVersion("1.9.9", wanted)).toBe(version);
});

it.each(["1.9.9", "1.9.0", "v2", "", "2.0"])("makes no version %j after 1.9.9", (wanted) => {
  expect(() => nextVersion("1.9.9", wanted)).toThrow();
});

it("compares versions by number", () => {
  expect(["1.10.0", "1.9.1", "1.9.0"].toSorted(compareVersions)).toEqual(["1.9.0", "1.9.1", "1.10.0"]);
  expect(compareVersions("1.2.3", "1.2.3")).toBe(0);
});
