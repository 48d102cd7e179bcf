import type { Deployment } from "./config.ts";
import { waitForHealth } from "./health.ts";
import { bucketExists, databaseExists, pendingMigrations } from "./platform.ts";
import { deployTriggers, deployWorker, type Live, planUpload, type Upload } from "./worker.ts";
import { wrangler } from "./wrangler.ts";

/** One step of a deployment. It looks first, so an interrupted deployment goes on when it is run again. */
export type Step = {
  name: string;
  /** What there is to do; null when nothing is. */
  plan: () => Promise<string | null> | string | null;
  run: () => Promise<void> | void;
};

/** The steps in the order in which they are safe: tables exist before the code that reads them is live. */
export function stepsOf(deployment: Deployment, publicUrl: string | undefined): Step[] {
  const { database, bucket } = deployment;
  let upload: Upload | null = null;
  let live: Live | undefined;
  const address = () => publicUrl ?? live?.addresses[0];
  return [
    {
      name: "database",
      plan: () => (databaseExists(deployment) ? null : `create the D1 database ${database}`),
      run: () => void wrangler(["d1", "create", database]),
    },
    {
      name: "migrations",
      plan: () => {
        const pending = pendingMigrations(deployment);
        return pending.length > 0 ? `apply ${pending.join(", ")}` : null;
      },
      run: () => void wrangler(["d1", "migrations", "apply", database, "--remote"]),
    },
    {
      name: "bucket",
      plan: () => (bucketExists(deployment) ? null : `create the R2 bucket ${bucket}`),
      run: () => void wrangler(["r2", "bucket", "create", bucket]),
    },
    {
      name: "worker",
      plan: async () => {
        upload = await planUpload();
        return upload && ["deploy the code", ...upload.secrets.map((name) => `a new ${name}`)].join(", ");
      },
      run: async () => {
        if (upload) live = await deployWorker(upload);
      },
    },
    {
      name: "routes",
      plan: () => (upload ? null : "set the routes and the schedule of wrangler.toml, if they are not set"),
      run: () => {
        live = deployTriggers();
      },
    },
    {
      name: "health",
      plan: () => `ask ${address() ?? "the Worker's address"} for /health until the new version answers`,
      run: () => waitForHealth(address(), live?.versionId),
    },
  ];
}
