import type { Schema } from "@storefront-worker/api/client";
import { Day } from "../parts/day.tsx";
import { Status } from "../parts/status.tsx";

/** A package of an account, or of the order that a guest's link shows. */
export type ShownPackage = Omit<Schema["Package"], "order_id"> & { order_id?: number | null };

/** `path` is that of the downloads, to which the id of a file is added. */
type Props = { package: ShownPackage; withOrder?: boolean; path?: string };

export const PackageCard = ({ package: bought, withOrder = false, path = "/downloads" }: Props) => {
  const { name, files, status, order_id } = bought;
  return (
    <section class="panel">
      <h2 dir="auto">{name}</h2>
      <p class="quiet">
        {status === "active" ? <Left package={bought} /> : <Status of={status} />}
        {withOrder && order_id != null && (
          <>
            {" · "}
            <a href={`/orders/${order_id}`} aria-label={`Order of ${name}`}>
              Order
            </a>
          </>
        )}
      </p>
      <ul class="rows">
        {files.map((file) => (
          <li>
            <span class="what">
              <strong dir="auto">{file.name}</strong>
              <span class="quiet">{kindOf(file)}</span>
            </span>
            {status === "active" && (
              <form method="post" action={`${path}/${file.id}`}>
                <button type="submit" aria-label={`Download ${file.name}`}>
                  Download
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};

const Left = ({ package: { downloads_remaining: left, expires_at } }: { package: ShownPackage }) => (
  <>
    {left === null ? "Unlimited downloads" : `${left} ${left === 1 ? "download" : "downloads"} left`}
    {expires_at !== null && (
      <>
        , until <Day at={expires_at} />
      </>
    )}
  </>
);

const SIZE = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });
const UNITS = ["bytes", "kB", "MB", "GB"];

/** The type and size of a file, such as "WAV, 8.4 MB". */
function kindOf({ file_name, size_bytes: size }: ShownPackage["files"][number]): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), UNITS.length - 1);
  const type = /\.(\w{1,5})$/.exec(file_name)?.[1]?.toUpperCase();
  return [type, `${SIZE.format(size / 1000 ** power)} ${UNITS[power]}`].filter(Boolean).join(", ");
}
