import type { Child, PropsWithChildren } from "hono/jsx";
import type { ShopRow } from "../../../back-office/shop/fields.ts";
import type { EmailSettings } from "../../../platform/settings/email.ts";
import { Lines, linesOf } from "../../kit/address-lines.tsx";

/** A page that is made to be printed: sheets of paper, and above them on a screen alone the way back. */
export const Paper = ({ title, back, children }: PropsWithChildren<{ title: string; back: string }>) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{title}</title>
      <link rel="stylesheet" href="/admin-assets/print.css" />
      <link rel="icon" href="/admin-assets/icon.svg" type="image/svg+xml" />
    </head>
    <body>
      <nav class="screen">
        <a href={back}>← Back</a>
        <span>Print with your browser (Ctrl P or ⌘ P).</span>
      </nav>
      <main>{children}</main>
    </body>
  </html>
);

/** Who sends a sheet: the shop by its name, and where it is. */
export type Sender = { name: string; lines: string[] };

/** What merchants have said of their shop, or else the deployment's settings. */
export function senderOf({ name, address }: ShopRow, settings: Pick<EmailSettings, "shopAddress">): Sender {
  const lines = address ? linesOf(address) : settings.shopAddress.split(/\n|, /).filter(Boolean);
  return { name, lines: lines.filter((line) => line !== name) };
}

/** The head of a sheet: what it is, and who sends it. */
export const SheetHead = ({ title, sender, children }: PropsWithChildren<{ title: string; sender: Sender }>) => (
  <header>
    <div>
      <h1>{title}</h1>
      {children}
    </div>
    <address>
      <strong>{sender.name}</strong>
      <br />
      <Lines lines={sender.lines} />
    </address>
  </header>
);

export const Party = ({ title, children }: { title: string; children: Child }) => (
  <div>
    <h2>{title}</h2>
    <p>{children}</p>
  </div>
);
