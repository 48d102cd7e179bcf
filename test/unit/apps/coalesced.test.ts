import { expect, it } from "vitest";
import { coalesced } from "../../../src/apps/coalesced.ts";

/** Runs a function whose runs each end on request. */
function aSlowRun() {
  const runs: { name: string; end: (answer?: Error | false) => void }[] = [];
  const begun = new Map<number, () => void>();
  const run = coalesced(
    (name: string) =>
      new Promise<unknown>((resolve, reject) => {
        runs.push({ name, end: (answer) => (answer instanceof Error ? reject(answer) : resolve(answer)) });
        begun.get(runs.length)?.();
      }),
  );
  const nth = (count: number) =>
    new Promise<void>((resolve) => (runs.length >= count ? resolve() : begun.set(count, resolve)));
  return { run, runs, nth };
}

it("runs once more for all who asked during a run, and no more", async () => {
  const { run, runs, nth } = aSlowRun();
  const first = run("first");
  const others = [run("second"), run("third")];
  await Promise.all(others);
  expect(runs.map(({ name }) => name)).toEqual(["first"]);
  runs[0]?.end();
  await nth(2);
  runs[1]?.end();
  await first;
  expect(runs).toHaveLength(2);
});

it("runs again after it has ended, even if it failed", async () => {
  const { run, runs } = aSlowRun();
  const failing = run("first");
  runs[0]?.end(new Error("down"));
  await expect(failing).rejects.toThrow("down");
  const again = run("second");
  expect(runs.map(({ name }) => name)).toEqual(["first", "second"]);
  runs[1]?.end();
  await again;
});

it("lets nothing else wait for a run", async () => {
  const [slow, quick] = [aSlowRun(), aSlowRun()];
  const pending = slow.run("slow");
  const done = quick.run("quick");
  quick.runs[0]?.end();
  await done;
  slow.runs[0]?.end();
  await pending;
});

it("leaves what was asked during a run to the next call once it can do no more", async () => {
  const { run, runs } = aSlowRun();
  const first = run("first");
  await run("second");
  runs[0]?.end(false);
  await first;
  expect(runs).toHaveLength(1);
  const next = run("third");
  expect(runs).toHaveLength(2);
  runs[1]?.end();
  await next;
});
