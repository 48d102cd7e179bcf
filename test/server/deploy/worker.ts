import { randomUUID } from "node:crypto";
import type { Answer, Call } from "./call.ts";

/** A Worker with its versions (oldest first), deployments (newest first) and secrets. */
export type Worker = { versions: Version[]; deployments: Deployment[]; secrets: Map<string, string> };

export type Version = {
  id: string;
  number: number;
  tag: string;
  message: string;
  migrationTag: string;
  createdOn: string;
  /** The multipart body with the bundle and its bindings. */
  bundle: Response;
};
type Share = { version_id: string; percentage: number };
type Deployment = { id: string; created_on: string; versions: Share[]; annotations: object };

/** The Workers of an account, and its workers.dev subdomain, which is empty if there is none. */
type Workers = { workers: Map<string, Worker>; subdomain: string };

const MISSING: Answer = { code: 10_007, message: "This Worker does not exist on your account." };

const ROOT = "/accounts/acc/workers/";

export function answerWorker(account: Workers, route: string, call: Call): Answer | undefined {
  const { body } = call;
  if (route === `GET ${ROOT}subdomain`) {
    return account.subdomain ? { result: { subdomain: account.subdomain } } : MISSING;
  }
  const [, method = "", name = "", rest = ""] =
    /^(\w+) \/accounts\/acc\/workers\/(?:scripts|workers|services)\/([\w-]+)(?:\/(.+))?$/.exec(route) ?? [];
  if (rest === "assets-upload-session") return { result: { jwt: "assets", buckets: [] } };
  const worker = account.workers.get(name);
  if (method === "PUT" && rest === "") return { result: deployed(account, name, call) };
  if (!worker) return answerWorkflow(account, route) ?? MISSING;
  if (method === "GET" && rest === "") return { result: described(name, worker) };
  switch (`${method} ${rest}`) {
    case "GET subdomain":
    case "POST subdomain":
      return { result: { enabled: true, previews_enabled: false } };
    case "PUT schedules":
      return { result: { schedules: JSON.parse(body) } };
    case "GET script-settings":
    case "PATCH script-settings":
      return { result: {} };
    case "GET secrets":
      return { result: [...worker.secrets.keys()].map((secret) => ({ name: secret, type: "secret_text" })) };
    case "GET versions":
      return { result: { items: worker.versions.toReversed().map(shown) } };
    case "POST versions":
      return { result: { ...shown(upload(worker, call)), startup_time_ms: 9 } };
    case "GET deployments":
      return { result: { deployments: worker.deployments } };
    case "POST deployments":
      return { result: deploy(worker, JSON.parse(body)) };
  }
  const version = worker.versions.find(({ id }) => rest === `versions/${id}`);
  return version && { result: shown(version) };
}

function answerWorkflow({ workers }: Workers, route: string): Answer | undefined {
  const [, method, environment = ""] = /^(\w+) \/accounts\/acc\/workflows\/storefront-jobs([\w-]*)$/.exec(route) ?? [];
  if (method === undefined) return undefined;
  const script = `storefront${environment}`;
  if (!workers.has(script)) return { code: 10_200, message: "workflow.not_found" };
  return { result: { name: `storefront-jobs${environment}`, script_name: script } };
}

/** The Worker as `GET services`, `GET workers` and `GET scripts` describe it. */
function described(name: string, { versions }: Worker) {
  const script = { migration_tag: versions.at(-1)?.migrationTag, last_deployed_from: "wrangler" };
  return { id: name, subdomain: { enabled: true, previews_enabled: false }, default_environment: { script } };
}

const shown = ({ id, number, tag, message, migrationTag, createdOn }: Version) => ({
  id,
  number,
  metadata: { created_on: createdOn, modified_on: createdOn, source: "wrangler", author_email: "owner@shop.example" },
  annotations: { "workers/tag": tag, "workers/message": message, "workers/triggered_by": "version_upload" },
  resources: { script: {}, script_runtime: { migration_tag: migrationTag }, bindings: [] },
});

/** `PUT scripts`: uploads a version that serves every request at once. */
function deployed(account: Workers, name: string, call: Call) {
  const worker = account.workers.get(name) ?? { versions: [], deployments: [], secrets: new Map() };
  account.workers.set(name, worker);
  const { id } = upload(worker, call);
  deploy(worker, { versions: [{ version_id: id, percentage: 100 }] });
  return { id: name, deployment_id: id, available_on_subdomain: true, startup_time_ms: 9 };
}

function upload(worker: Worker, { body, raw, type }: Call): Version {
  const metadata = JSON.parse(/name="metadata"\r\n\r\n(.*)\r\n/.exec(body)?.[1] ?? "{}");
  for (const { type, name, text } of metadata.bindings) if (type === "secret_text") worker.secrets.set(name, text);
  const number = worker.versions.length + 1;
  const version = {
    id: randomUUID(),
    number,
    tag: metadata.annotations["workers/tag"],
    message: metadata.annotations["workers/message"] ?? "",
    migrationTag: metadata.migrations?.new_tag ?? worker.versions.at(-1)?.migrationTag,
    createdOn: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
    bundle: new Response(new Uint8Array(raw), { headers: { "Content-Type": type } }),
  };
  worker.versions.push(version);
  return version;
}

function deploy(
  worker: Worker,
  { versions, annotations = {} }: Pick<Deployment, "versions"> & { annotations?: object },
) {
  const deployment = {
    id: randomUUID(),
    source: "wrangler",
    strategy: "percentage",
    author_email: "owner@shop.example",
    created_on: new Date(Date.UTC(2026, 0, 1, 0, worker.deployments.length + 1)).toISOString(),
    versions,
    annotations,
  };
  // Newest first, as the platform lists them.
  worker.deployments.unshift(deployment);
  return deployment;
}
