const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === "http:" && LOOPBACK.has(hostname);

/** True for a redirect address of a program on the person's own computer, which any other program there can claim. */
export const isOnOwnComputer = (redirectUri: string): boolean => {
  const url = URL.parse(redirectUri);
  return url !== null && (isLoopback(url) || url.protocol !== "https:");
};

/** A scheme that names its owner's domain, such as com.example.app (RFC 8252, section 7.1). Excludes `javascript:` and the like. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/;

/** The problem with an address to register. Null if there is none. */
export function problemOfRedirectUri(text: string): string | null {
  const url = URL.parse(text);
  if (!url || /[\s\\]/.test(text)) return "must be an address such as https://app.example/callback";
  if (text.includes("#")) return "must not have a fragment";
  if (url.username !== "" || url.password !== "") return "must not contain a user name or a password";
  if (url.protocol === "https:" || isLoopback(url) || PRIVATE_SCHEME.test(url.protocol)) return null;
  return "must begin with https://, http://127.0.0.1, or a scheme such as com.example.app:";
}

/**
 * True if a client registered the address, character by character. Only the port of a loopback address may differ, because
 * a program takes a free one (RFC 8252, section 7.3).
 */
export function isRegistered(registered: readonly string[], given: string): boolean {
  return registered.some((each) => each === given || withoutLoopbackPort(each) === withoutLoopbackPort(given));
}

function withoutLoopbackPort(text: string): string {
  const url = URL.parse(text);
  if (!url || !isLoopback(url) || problemOfRedirectUri(text) !== null) return text;
  return text.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=[/?]|$)/, "$1");
}
