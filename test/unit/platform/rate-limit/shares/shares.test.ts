import { expect, it } from "vitest";
import { HomeBooks } from "../../../../../src/platform/rate-limit/shares/home-books.ts";
import type { Grant } from "../../../../../src/platform/rate-limit/shares/messages.ts";
import { RegionShare } from "../../../../../src/platform/rate-limit/shares/region-share.ts";

const MINUTE = 60_000;
const LIMIT = 100;
const NOW = 1_700_000_000_000;

function aRegion(name: string) {
  let ids = 0;
  const newId = () => `${name}-${++ids}`;
  return { name, newId, share: new RegionShare(MINUTE, newId) };
}

type Region = ReturnType<typeof aRegion>;

const use = ({ share }: Region, count: number, limit = LIMIT) =>
  Array.from({ length: count }, () => share.take(limit, NOW)).filter(({ admitted }) => admitted).length;

/** One request for a share and its response, including recalls. `lost` regions do not respond. */
function ask(home: HomeBooks, region: Region, others: Region[], { limit = LIMIT, waiting = 1 } = {}): Grant {
  region.share.take(limit, NOW);
  region.share.toStore(NOW);
  const question = region.share.ask(waiting, NOW);
  home.hear(region.name, question, NOW);
  for (const { region: name, recall } of home.recallsFor(question, 1, limit, NOW)) {
    const other = others.find((each) => each.name === name);
    if (other) home.hear(name, other.share.giveBack(recall, NOW), NOW);
    else home.noAnswer(recall.id, NOW);
  }
  return home.grant(question, limit, NOW);
}

const shares = (...regions: Region[]) => regions.map(({ share }) => share.share);

it("lends the first region everything, and the second half of the first's unused share", () => {
  const [home, one, other] = [new HomeBooks(), aRegion("one"), aRegion("other")];
  one.share.accept(ask(home, one, []), NOW);
  expect(shares(one)).toEqual([LIMIT]);
  expect(use(one, 40)).toBe(40);
  other.share.accept(ask(home, other, [one]), NOW);
  expect(shares(one, other)).toEqual([70, 30]);
  expect(home.free(LIMIT)).toBe(0);
});

it("corrects a lost response with the next one, and applies a repeated one once", () => {
  const [home, one] = [new HomeBooks(), aRegion("one")];
  ask(home, one, []);
  expect(shares(one)).toEqual([0]);
  const grant = ask(home, one, []);
  one.share.accept(grant, NOW);
  one.share.accept(grant, NOW);
  expect(shares(one)).toEqual([LIMIT]);
});

it("leaves its share to a region that does not answer", () => {
  const [home, one, other] = [new HomeBooks(), aRegion("one"), aRegion("other")];
  one.share.accept(ask(home, one, []), NOW);
  const grant = ask(home, other, []);
  other.share.accept(grant, NOW);
  expect(shares(one, other)).toEqual([LIMIT, 0]);
  expect(grant.retryMs).toBeGreaterThan(0);
  expect(other.share.take(LIMIT, NOW)).toMatchObject({ admitted: false, ask: "no" });
});

it("returns nothing that its window holds, or that was returned before", () => {
  const [home, one] = [new HomeBooks(), aRegion("one")];
  one.share.accept(ask(home, one, []), NOW);
  use(one, 60);
  const recall = { id: "one-1", granted: LIMIT, most: LIMIT, part: "all" } as const;
  expect(one.share.giveBack(recall, NOW)).toMatchObject({ given: 40, used: 60 });
  expect(one.share.giveBack(recall, NOW)).toMatchObject({ given: 40, used: 60 });
  expect(one.share.isUnstored).toBe(true);
});

it("forgets a region's loan from before its restart", () => {
  const [home, one, other] = [new HomeBooks(), aRegion("one"), aRegion("other")];
  one.share.accept(ask(home, one, []), NOW);
  const begun: Region = { ...one, share: new RegionShare(MINUTE, () => "one-2") };
  other.share.accept(ask(home, other, [begun]), NOW);
  expect(shares(other)).toEqual([LIMIT]);
});

it("restarts with another limit: no earlier grant is valid", () => {
  const [home, one] = [new HomeBooks(), aRegion("one")];
  const before = ask(home, one, [], { limit: 1_000 });
  one.share.accept(before, NOW);
  expect(use(one, 30, 1_000)).toBe(30);
  expect(one.share.take(LIMIT, NOW)).toMatchObject({ admitted: false, ask: "first" });
  one.share.accept(before, NOW);
  expect(shares(one)).toEqual([0]);
  one.share.accept(ask(home, one, []), NOW);
  expect(shares(one)).toEqual([LIMIT]);
  expect(one.share.take(LIMIT, NOW).remaining).toBe(69);
});

it("grants nothing to a region with another limit for the key", () => {
  const [home, one] = [new HomeBooks(), aRegion("one")];
  one.share.take(LIMIT, NOW);
  const question = one.share.ask(1, NOW);
  home.hear(one.name, question, NOW);
  one.share.accept(home.grant(question, 10 * LIMIT, NOW), NOW);
  expect(shares(one)).toEqual([0]);
  expect(home.free(10 * LIMIT)).toBe(10 * LIMIT);
});

it("continues from its stored state", () => {
  const [home, one] = [new HomeBooks(), aRegion("one")];
  one.share.accept(ask(home, one, []), NOW);
  use(one, 20);
  const state = structuredClone(one.share.toStore(NOW));
  const restored = RegionShare.restore(MINUTE, NOW, one.newId, state);
  expect(restored.share).toBe(LIMIT);
  expect(restored.report(NOW).used).toBe(20 + state.window.reserved);
});

it("keeps its accounts over a restart", () => {
  const [home, one] = [new HomeBooks(), aRegion("one")];
  one.share.accept(ask(home, one, []), NOW);
  const restored = HomeBooks.restore(structuredClone(home.toStoreIfChanged() ?? []));
  expect(restored.free(LIMIT)).toBe(0);
  expect(home.toStoreIfChanged()).toBeNull();
});

it("remembers the regions of the last hour, including those that returned everything", () => {
  const [home, one] = [new HomeBooks(), aRegion("one")];
  one.share.accept(ask(home, one, []), NOW);
  expect(one.share.retire(NOW)).toBe(true);
  home.hear("one", one.share.report(NOW), NOW);
  expect(home.free(LIMIT)).toBe(LIMIT);
  expect(home.regions(NOW + 60 * MINUTE)).toEqual(["one"]);
  expect(home.regions(NOW + 63 * MINUTE)).toEqual([]);
});
