import { spawnSync } from "node:child_process";

/** Languages of examples/integrations, with the command that runs a program. */
const LANGUAGES = [
  { language: "typescript", command: process.execPath, fileOf: (name: string) => `${name}.ts` },
  { language: "python", command: "python3", fileOf: (name: string) => `${name.replaceAll("-", "_")}.py` },
  { language: "php", command: "php", fileOf: (name: string) => `${name}.php` },
];

/** Languages that this machine can run. */
export const runnable = LANGUAGES.filter(({ command }) => spawnSync(command, ["--version"]).status === 0);
