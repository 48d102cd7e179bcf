const ORIGIN = "https://shop.invalid";

/** Path and query of an untrusted URL if it is a page of this shop. Otherwise the front page. */
export function localPath(address: string): string {
  // The browser parses the result again: "/.//evil.example" becomes the path "//evil.example", which names a host.
  const url = URL.parse(address, ORIGIN);
  if (url?.origin !== ORIGIN || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search;
}
