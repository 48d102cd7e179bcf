import { contractsAfter } from "../database/compatibility.ts";
import { missingBuckets, requireSubdomain } from "./account.ts";
import { type Deployment, migrationsOf } from "./config.ts";
import { sourcesOf } from "./figures.ts";
import { type Target, waitForHealth } from "./health.ts";
import { applyMigrations, requireSchema } from "./migrations.ts";
import { appliedMigrations, type LiveVersion, liveVersions, shareRequests } from "./platform.ts";
import { TRIAL_PERCENT, tryVersion } from "./trial.ts";
import { readVersionTag } from "./version-tag.ts";
import { deployTriggers, deployWorker, planUpload, tagOf, type Upload, uploadVersion } from "./worker.ts";
import { wrangler } from "./wrangler.ts";

/** A step of a deployment. It checks first whether it is done, so that an interrupted deployment can be run again. */
export type Step = {
  name: string;
  /** The work to do. Null if there is none. */
  plan: () => Promise<string | null> | string | null;
  run: () => Promise<void> | void;
};

export type Options = {
  /** Public address of the shop. */
  url: string | undefined;
  /** True to give the new version all requests without a trial. */
  atOnce: boolean;
  watchMs: number;
};

/** The steps in a safe order: tables exist before the code that reads them is live. */
export function stepsOf(deployment: Deployment, { url, atOnce, watchMs }: Options): Step[] {
  const { database, buckets, worker } = deployment;
  let missing: string[] = [];
  let applied: string[] | null = null;
  let pending: string[] = [];
  let live: LiveVersion[] = [];
  let tag = "";
  let upload: Upload | null = null;
  let versionId = "";
  let addresses: string[] = [];
  let hasRoutes = false;
  let isTrial = false;

  const address = () => url ?? deployment.url ?? addresses[0];
  const target = (): Target => {
    const known = address();
    if (known === undefined) throw new Error("The Worker has no https:// address of its own: name one with --url");
    return { url: known, worker, versionId };
  };

  return [
    {
      name: "versions",
      plan: async () => {
        [live, tag] = [liveVersions(), tagOf(deployment)];
        missing = missingBuckets(buckets);
        if (live.length === 0) await requireSubdomain();
        const [older, newer] = live;
        if (!older || !newer) return null;
        const share = `${newer.percentage} % of the requests, which an interrupted deployment gave to version ${newer.id}`;
        return newer.tag === tag ? `go on with ${share}` : `take back ${share}`;
      },
      run: () => {
        const [older, newer] = live;
        if (!older || newer?.tag === tag) return;
        shareRequests({ [older.id]: 100 }, "Take back an interrupted deployment");
        live = [older];
      },
    },
    {
      name: "database",
      plan: () => {
        applied = appliedMigrations(deployment);
        return applied ? null : `create the D1 database ${database}`;
      },
      run: () => void wrangler(["d1", "create", database]),
    },
    {
      name: "migrations",
      plan: () => {
        pending = migrationsOf(deployment).filter((file) => !applied?.includes(file));
        if (applied) requireSchema(deployment, applied);
        if (!atOnce) refuseContracts(applied ?? [], live);
        return pending.length > 0 ? `apply ${pending.join(", ")}` : null;
      },
      run: () => {
        applyMigrations(deployment, pending);
        requireSchema(deployment, migrationsOf(deployment));
      },
    },
    {
      name: "buckets",
      plan: () => missing.map((bucket) => `create the R2 bucket ${bucket}`).join(", ") || null,
      run: () => {
        for (const bucket of missing) wrangler(["r2", "bucket", "create", bucket]);
      },
    },
    {
      name: "worker",
      plan: async () => {
        upload = await planUpload(tag, live);
        versionId = live.at(-1)?.id ?? "";
        isTrial = !atOnce && live.length > (upload ? 0 : 1);
        return upload && ["upload the code", ...upload.secrets.map((name) => `a new ${name}`)].join(", ");
      },
      run: async () => {
        if (!upload) return;
        const onTrial = isTrial ? await uploadVersion(upload) : null;
        if (isTrial && !onTrial) {
          isTrial = false;
          console.log("            It migrates Durable Objects, which the platform does for all requests at once.");
        }
        ({ versionId, addresses } = onTrial ?? (await deployWorker(upload)));
        hasRoutes = onTrial === null;
      },
    },
    {
      name: "routes",
      plan: () =>
        upload && (hasRoutes || !isTrial)
          ? null
          : "set the routes and the schedule of wrangler.toml, if they are not set",
      run: () => {
        addresses = deployTriggers();
      },
    },
    {
      name: "trial",
      plan: () =>
        isTrial
          ? `give the new version ${TRIAL_PERCENT} % of the requests, then all unless it fails within ${watchMs / 1000} s`
          : null,
      run: async () => {
        const [old] = live;
        if (old) await tryVersion({ target: target(), old, sources: sourcesOf(deployment), watchMs });
      },
    },
    {
      name: "health",
      plan: () => `ask ${address() ?? "the Worker's address"} for /health until the new version answers`,
      run: () => waitForHealth(target()),
    },
  ];
}

/** Refuses migrations that remove something the running version uses. */
function refuseContracts(applied: string[], [running]: LiveVersion[]): void {
  const release = readVersionTag(running?.tag ?? "")?.release;
  if (release === undefined) return;
  const broken = contractsAfter(applied, release);
  if (broken.length === 0) return;
  const subjects = broken.map(({ subject, since }) => `${subject} (unused since ${since})`).join(", ");
  throw new Error(
    `Release ${release} is running, and the migrations take away what it uses: ${subjects}. Deploy the release in between first. ` +
      "With --at-once requests fail until the new version is live.",
  );
}
