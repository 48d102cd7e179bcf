import { type Deployment, migrationsOf } from "./config.ts";
import { waitForHealth } from "./health.ts";
import { appliedMigrations, bucketExists } from "./platform.ts";
import { deployTriggers, deployWorker, type Live, planUpload, type UploadPlan } from "./worker.ts";
import { wrangler } from "./wrangler.ts";

/** A step of a deployment. It checks first, so an interrupted deployment can be run again. */
export type Step = {
  name: string;
  /** The work to do. Null if there is none. */
  plan: () => Promise<string | null> | string | null;
  run: () => Promise<void> | void;
};

/** The steps in a safe order: tables exist before the code that reads them is live. */
export function stepsOf(deployment: Deployment, publicUrl: string | undefined): Step[] {
  const { database, buckets } = deployment;
  let missing: string[] = [];
  let applied: unknown[] | null = null;
  let planned: UploadPlan | undefined;
  let live: Live | undefined;
  const address = () => publicUrl ?? live?.addresses[0];
  return [
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
        const pending = migrationsOf(deployment).filter((file) => !applied?.includes(file));
        return pending.length > 0 ? `apply ${pending.join(", ")}` : null;
      },
      run: () => void wrangler(["d1", "migrations", "apply", database, "--remote"]),
    },
    {
      name: "buckets",
      plan: () => {
        missing = buckets.filter((bucket) => !bucketExists(bucket));
        return missing.length > 0 ? missing.map((bucket) => `create the R2 bucket ${bucket}`).join(", ") : null;
      },
      run: () => {
        for (const bucket of missing) wrangler(["r2", "bucket", "create", bucket]);
      },
    },
    {
      name: "worker",
      plan: async () => {
        planned = await planUpload();
        return (
          planned.upload && ["deploy the code", ...planned.upload.secrets.map((name) => `a new ${name}`)].join(", ")
        );
      },
      run: async () => {
        if (planned?.upload) live = await deployWorker(planned.upload);
      },
    },
    {
      name: "routes",
      plan: () => (planned?.upload ? null : "set the routes and the schedule of wrangler.toml, if they are not set"),
      run: () => {
        live = { versionId: planned?.versionId, addresses: deployTriggers() };
      },
    },
    {
      name: "health",
      plan: () => `ask ${address() ?? "the Worker's address"} for /health until the new version answers`,
      run: () => waitForHealth(address(), live?.versionId),
    },
  ];
}
