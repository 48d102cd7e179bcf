import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { OpenApi } from "../openapi/shape.ts";
import type { Dump } from "./dump.ts";

const FIXTURES = "test/upgrade/fixtures";

/** A shop of a release as it was closed, with the secrets to open it again. */
export type ShopFixture = {
  note: string;
  version: string;
  /** Time at which the shop was closed, in milliseconds. Its tokens are valid for another hour. */
  closedAt: number;
  secrets: Record<string, string>;
  /** Request headers of each kind of caller. */
  callers: Record<string, Record<string, string>>;
  dump: Dump;
};

/** The response to a request line by a kind of caller. An error has no body. */
export type RecordedAnswer = { caller: string; line: string; status: number; body?: unknown };

const pathOf = (version: string, part: "shop" | "answers" | "api"): string =>
  join(FIXTURES, `${version}.${part}.json.br`);

/** The releases that have a fixture. */
export const fixtureVersions = (): string[] =>
  (existsSync(FIXTURES) ? readdirSync(FIXTURES) : [])
    .filter((file) => file.endsWith(".shop.json.br"))
    .map((file) => file.replace(".shop.json.br", ""));

const read = (path: string) => JSON.parse(brotliDecompressSync(readFileSync(path)).toString());

/** Callers often get equal responses, which a compression window that spans all responses stores once. */
const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };

function write(path: string, value: unknown): void {
  mkdirSync(FIXTURES, { recursive: true });
  writeFileSync(path, brotliCompressSync(JSON.stringify(value), { params }));
}

export const readShopFixture = (version: string): ShopFixture => read(pathOf(version, "shop"));
export const writeShopFixture = (fixture: ShopFixture): void => write(pathOf(fixture.version, "shop"), fixture);
export const readAnswers = (version: string): RecordedAnswer[] => read(pathOf(version, "answers"));
export const writeAnswers = (version: string, answers: unknown): void => write(pathOf(version, "answers"), answers);

/** The OpenAPI document of a release, or null of one from before documents were kept. */
export const readReleasedApi = (version: string): OpenApi | null =>
  existsSync(pathOf(version, "api")) ? read(pathOf(version, "api")) : null;
export const writeReleasedApi = (version: string, document: OpenApi): void => write(pathOf(version, "api"), document);
