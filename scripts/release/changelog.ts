const UNRELEASED = "## [Unreleased]";
const LINK = /^\[[^\]]+\]: \S+\n?/gm;

/** The text of CHANGELOG.md under Unreleased. */
export const unreleasedNotes = (changelog: string): string => {
  const [, after = ""] = changelog.split(`${UNRELEASED}\n`);
  const [notes = ""] = after.split(/^## \[/m);
  return notes.replaceAll(LINK, "").trim();
};

/** CHANGELOG.md with a fresh Unreleased above the release. Links compare versions if the repository has a web address. */
export function withRelease(changelog: string, version: string, date: string, repository?: string): string {
  const versions = [version, ...[...changelog.matchAll(/^## \[(\d\S*)\]/gm)].map(([, one = ""]) => one)];
  const text = changelog
    .replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${date}`)
    .replaceAll(LINK, "")
    .trimEnd();
  const links = repository === undefined ? [] : linksOf(versions, repository);
  return `${[text, ...(links.length > 0 ? [links.join("\n")] : [])].join("\n\n")}\n`;
}

const linksOf = (versions: string[], repository: string): string[] => [
  `[Unreleased]: ${repository}/compare/v${versions[0]}...HEAD`,
  ...versions.map((version, place) => {
    const before = versions[place + 1];
    return `[${version}]: ${repository}/${before ? `compare/v${before}...v${version}` : `releases/tag/v${version}`}`;
  }),
];

/** The web address of a Git remote. Undefined for a folder or without a remote. */
export const webAddress = (remote: string): string | undefined => {
  const [, host, path] =
    /^(?:https:\/\/(?:[^@/]+@)?|git@|ssh:\/\/git@)([\w.-]+)[:/](.+?)(?:\.git)?$/.exec(remote.trim()) ?? [];
  return host && path ? `https://${host}/${path}` : undefined;
};
