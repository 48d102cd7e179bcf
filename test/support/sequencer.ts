import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Each project's slowest files begin first: a run waits for whatever begins last. A worker keeps its
 * runtime while the next file is of the same project, so each currency has one runtime alone while the other workers are busy
 * with the longest files of all.
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
