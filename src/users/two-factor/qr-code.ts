let uqr: typeof import("uqr") | undefined;

/** A text as a QR code, an SVG with the four light modules around it that its standard asks for. */
export async function qrCodeOf(text: string): Promise<string> {
  uqr ??= await import("uqr");
  return uqr.renderSVG(text, { border: 4, ecc: "M" });
}
