import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Of each project the files whose tests take long begin first: whatever begins last is what a run waits for. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...projects.values()].flatMap((specs) => [...specs.filter(isLong), ...specs.filter((one) => !isLong(one))]);
  }
}

const isLong = ({ moduleId }: TestSpecification): boolean => readFileSync(moduleId, "utf8").includes('/long.ts"');
