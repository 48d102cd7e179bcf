const filled = (prefix: string, length: number): string => prefix.padEnd(length, "EXAMPLE");

/** Replaces secrets in examples by placeholders of the same shape, and the local address. */
const masks: [secret: RegExp, placeholder: string][] = [
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "eyJhbGciOiJFZERTQSJ9.EXAMPLE.EXAMPLE"],
  [/whsec_[\w+/]{43}=/g, `${filled("whsec_", 49)}=`],
  [/sfk_[0-9A-Za-z]{33}/g, filled("sfk_", 37)],
  [/sfk_[0-9A-Za-z]{8}\b/g, filled("sfk_", 12)],
  [/sfr_[\w-]{43}/g, filled("sfr_", 47)],
  [/sfl_[\w-]{43}/g, filled("sfl_", 47)],
  [/sfc_[\w-]{43}/g, filled("sfc_", 47)],
  [/sfo_[0-9A-Z-]{14}_[\w-]{43}/g, `${filled("sfo_", 18)}_${filled("", 43)}`],
  [/\b[A-Z2-7]{32}\b/g, filled("", 32)],
  [/"([0-9a-z]{4}-){3}[0-9a-z]{4}"/g, '"exam-plee-xamp-leex"'],
  [/<svg .*?<\/svg>/g, "<svg>…</svg>"],
  // An address that is reserved for documentation (RFC 5737).
  [/http:\/\/127\.0\.0\.1:\d+\//g, "https://receiver.example/"],
  [/"127\.0\.0\.1"/g, '"203.0.113.7"'],
];

/** Removes secrets and the shop's address from a recorded value. */
export function masked(value: unknown, baseUrl: string): unknown {
  const text = JSON.stringify(value).replaceAll(baseUrl, "https://shop.example");
  return JSON.parse(masks.reduce((masking, [secret, placeholder]) => masking.replace(secret, placeholder), text));
}
