/** Where to go after signing in: a page of this shop, never another site. */
export function afterwards(asked = ""): string {
  const url = URL.parse(asked, "https://here.invalid");
  return asked.startsWith("/") && url?.host === "here.invalid" ? url.pathname + url.search : "/";
}
