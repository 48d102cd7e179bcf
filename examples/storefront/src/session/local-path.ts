const ORIGIN = "https://shop.invalid";

/** The page of this shop that an untrusted address names: path and query, never another host. Anything else is the front page. */
export function localPath(address: string): string {
  // A browser reads the result as an address once more: "/.//evil.example" is parsed to the path "//evil.example", which names a host.
  const url = URL.parse(address, ORIGIN);
  if (url?.origin !== ORIGIN || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search;
}
