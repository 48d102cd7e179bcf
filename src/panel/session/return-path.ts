/** A page of the panel, written from the root. Anything else that a browser might resolve leads who knows where. */
const OURS = /^\/admin(?=[/?]|$)[^\\]*$/;

/** Where to go after signing in: the page that was asked for, else the first. Never to another site. */
export function returnPath(asked: string | undefined, origin: string): string {
  const url = OURS.test(asked ?? "") ? URL.parse(asked ?? "", origin) : null;
  if (url === null || !OURS.test(url.pathname)) return "/admin";
  return /^\/admin\/sign-(in|out)$/.test(url.pathname) ? "/admin" : url.pathname + url.search;
}
