import { applyMigrations } from "../../scripts/database/apply.ts";
import { dumpOf, loaded, statementsOf } from "../../scripts/release/dump.ts";
import { fixtureVersions, readAnswers, readShopFixture, writeAnswers } from "../../scripts/release/fixtures.ts";

/**
 * Serves the fixtures of releases to tests in the Worker's runtime, which has no file system: `GET /` lists their
 * versions, `GET /<version>` returns a shop migrated to this code with its recorded answers, and `PUT /<version>`
 * records answers.
 */
export async function serveFixtures(request: Request): Promise<Response> {
  const version = new URL(request.url).pathname.slice(1);
  if (version === "") return Response.json(fixtureVersions());
  if (request.method === "PUT") {
    writeAnswers(version, await request.json());
    return Response.json({});
  }
  const { dump, ...shop } = readShopFixture(version);
  const db = loaded(dump);
  applyMigrations(db);
  const isRecording = process.env.RECORD_ANSWERS === version;
  return Response.json({
    ...shop,
    statements: statementsOf(dumpOf(db, dump.searches)),
    answers: isRecording ? null : readAnswers(version),
  });
}
