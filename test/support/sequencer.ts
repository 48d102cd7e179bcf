import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Each project's slowest files run first, because a run waits for the file that starts last. A worker keeps its runtime
 * while its next file belongs to the same project. Each currency runs in one worker while the others are busy with the
 * longest files.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const longFirst = [...sorted.filter(isLong), ...sorted.filter((one) => !isLong(one))];
    const projects = Object.groupBy(longFirst, ({ project }) => project.name);
    const { server = [], unit = [], worker = [], ...currencies } = projects;
    const longest = server.splice(0, this.ctx.config.maxWorkers - 1);
    return [...longest, ...Object.values(currencies), server, unit, worker].flatMap((specs) => specs ?? []);
  }
}

const isLong = ({ moduleId }: TestSpecification): boolean => readFileSync(moduleId, "utf8").includes('/long.ts"');
