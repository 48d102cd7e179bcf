import { randomUUID } from "node:crypto";
import type { Answered } from "./databases.ts";
import type { Account, Call } from "./platform.ts";

/** The Worker as it was last uploaded. */
export type Worker = { versionId: string; tag: string; secrets: Map<string, string>; uploads: number };

const MISSING: Answered = { code: 10_007, message: "This Worker does not exist on your account." };

const ROOT = "/accounts/acc/workers/";
const JOBS = "/accounts/acc/workflows/storefront-jobs";
const WORKFLOW = { name: "storefront-jobs", script_name: "storefront" };

export function answerWorker(account: Account, route: string, { body }: Call): Answered | undefined {
  const { worker } = account;
  switch (route) {
    case `GET ${ROOT}subdomain`:
      return { result: { subdomain: "shop" } };
    case `POST ${ROOT}scripts/storefront/assets-upload-session`:
      return { result: { jwt: "assets", buckets: [] } };
    case `GET ${JOBS}`:
      return worker ? { result: WORKFLOW } : { code: 10_200, message: "workflow.not_found" };
    case `PUT ${ROOT}scripts/storefront`:
      return { result: upload(account, body) };
  }
  if (!worker) return MISSING;
  switch (route) {
    case `GET ${ROOT}workers/storefront`:
      return { result: { id: "storefront", subdomain: { enabled: true, previews_enabled: false } } };
    case `GET ${ROOT}scripts/storefront/subdomain`:
    case `POST ${ROOT}scripts/storefront/subdomain`:
      return { result: { enabled: true, previews_enabled: false } };
    case `PUT ${ROOT}scripts/storefront/schedules`:
      return { result: { schedules: JSON.parse(body) } };
    case `PUT ${JOBS}`:
      return { result: WORKFLOW };
    case `GET ${ROOT}services/storefront`:
      return { result: { id: "storefront", default_environment: { script: {} } } };
    case `GET ${ROOT}scripts/storefront/secrets`:
      return { result: [...worker.secrets.keys()].map((name) => ({ name, type: "secret_text" })) };
    case `GET ${ROOT}scripts/storefront/deployments`:
      return {
        result: {
          deployments: [
            {
              id: "deployment",
              source: "wrangler",
              strategy: "percentage",
              author_email: "",
              annotations: {},
              created_on: "2026-01-01T00:00:00Z",
              versions: [{ version_id: worker.versionId, percentage: 100 }],
            },
          ],
        },
      };
    case `GET ${ROOT}scripts/storefront/versions/${worker.versionId}`:
      return { result: { id: worker.versionId, annotations: { "workers/tag": worker.tag } } };
  }
  return undefined;
}

function upload(account: Account, body: string) {
  const metadata = JSON.parse(/name="metadata"\r\n\r\n(.*)\r\n/.exec(body)?.[1] ?? "{}");
  const secrets = new Map(account.worker?.secrets);
  for (const { type, name, text } of metadata.bindings) if (type === "secret_text") secrets.set(name, text);
  account.worker = {
    versionId: randomUUID(),
    tag: metadata.annotations["workers/tag"],
    secrets,
    uploads: (account.worker?.uploads ?? 0) + 1,
  };
  return {
    id: "storefront",
    deployment_id: account.worker.versionId,
    available_on_subdomain: true,
    startup_time_ms: 9,
  };
}
