import { onFirstUse } from "../../../platform/http/on-first-use.ts";

const loadUqr = onFirstUse(() => import("uqr"));

/** A text as a QR code, an SVG with the four light modules around it that its standard asks for. */
export async function qrCodeOf(text: string): Promise<string> {
  const { renderSVG } = await loadUqr();
  return renderSVG(text, { border: 4, ecc: "M" });
}
