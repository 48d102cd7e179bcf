/** Where to go after signing in: a page of the panel that was asked for, else its first. Never to another site. */
export function returnPath(asked: string | undefined, origin: string): string {
  const url = URL.parse(asked ?? "", `${origin}/admin/`);
  if (url === null || url.origin !== origin || !/^\/admin(\/|$)/.test(url.pathname)) return "/admin";
  return /^\/admin\/sign-(in|out)$/.test(url.pathname) ? "/admin" : url.pathname + url.search;
}
