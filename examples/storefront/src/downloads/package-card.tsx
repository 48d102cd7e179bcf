import type { Schema } from "storefront/client";
import { Day } from "../parts/day.tsx";
import { Status } from "../parts/status.tsx";

type Package = Schema["Package"];

export const PackageCard = ({ package: { name, files, status, ...rest } }: { package: Package }) => (
  <section class="panel">
    <h2>{name}</h2>
    <p class="quiet">
      {status === "active" ? <Left package={{ name, files, status, ...rest }} /> : <Status of={status} />}
    </p>
    <ul class="summary">
      {files.map((file) => (
        <li>
          <span>{file.name}</span>
          {status === "active" && (
            <form method="post" action={`/downloads/${file.id}`}>
              <button class="soft" type="submit" aria-label={`Download ${file.name}`}>
                Download
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  </section>
);

const Left = ({ package: { downloads_remaining: left, expires_at } }: { package: Package }) => (
  <>
    {left === null ? "Unlimited downloads" : `${left} ${left === 1 ? "download" : "downloads"} left`}
    {expires_at !== null && (
      <>
        , until <Day at={expires_at} />
      </>
    )}
  </>
);
