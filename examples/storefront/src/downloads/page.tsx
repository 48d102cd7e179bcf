import type { Schema } from "@storefront-worker/api/client";
import { Pager } from "../parts/pager.tsx";
import { LicenseKeys } from "./license-keys.tsx";
import { PackageCard } from "./package-card.tsx";

type Props = {
  packages: { data: Schema["Package"][]; pagination: Schema["Pagination"] };
  licenseKeys: Schema["LicenseKey"][];
  url: string;
};

export const DownloadsPage = ({ packages: { data, pagination }, licenseKeys, url }: Props) => (
  <>
    <h1>Downloads</h1>
    {data.length + licenseKeys.length === 0 && (
      <p class="panel">
        You have no downloads yet. Files that you buy are kept here. <a href="/">See all products</a>
      </p>
    )}
    <LicenseKeys keys={licenseKeys} />
    {data.map((one) => (
      <PackageCard package={one} withOrder />
    ))}
    <Pager pagination={pagination} url={url} />
  </>
);
