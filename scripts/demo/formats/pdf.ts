/** A page's content stream in points from the bottom left of an A4 sheet; fonts F1 (regular) and F2 (bold). */
type Content = string;

export const pageWidth = 595;
export const pageHeight = 842;

const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;

export const pdfString = (text: string) => `(${text.replace(/[\\()]/g, "\\$&")})`;

/** Text is Latin-1 throughout, so that a character is a byte. */
export const pdf = (title: string, author: string, pages: Content[]): Uint8Array => {
  const firstPage = 6;
  const kids = pages.map((_, index) => `${firstPage + index * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} /MediaBox [0 0 ${pageWidth} ${pageHeight}]
/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
    font("Helvetica"),
    font("Helvetica-Bold"),
    `<< /Title ${pdfString(title)} /Author ${pdfString(author)} >>`,
    ...pages.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${firstPage + index * 2 + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ];

  let body = "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n";
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const xref = `xref\n0 ${size}\n0000000000 65535 f \n${entries}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + xref + trailer, "latin1");
};
