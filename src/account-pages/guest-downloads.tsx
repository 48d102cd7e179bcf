import { create as contentDisposition } from "content-disposition";
import type { Context } from "hono";
import {
  createGuestDownload,
  type LinkedGuestOrder,
  OrderLinkBody,
  OrderLinkDownload,
  rotateOrderLink,
} from "../checkout/orders/guest-order.ts";
import { packageStatus, remainingOf } from "../downloads/packages/public.ts";
import { formFor } from "../panel/forms/inputs.ts";
import { text } from "../panel/forms/kinds.ts";
import type { SentForm } from "../panel/forms/read-form.ts";
import { When } from "../panel/kit/dates.tsx";
import { Button, Form } from "../panel/kit/form.tsx";
import type { WriteContext } from "../platform/auth/caller.ts";
import type { AppEnv } from "../platform/auth/gates.ts";
import { sendInBackground } from "../platform/email/send.ts";
import { donePage } from "./pages.tsx";

type GuestPackages = Pick<LinkedGuestOrder, "packages" | "licenseKeys" | "giftCards"> & { token: string };

/** The packages of a guest's order, with a button for each file, its license keys and its gift cards. */
export const GuestDownloads = ({ packages, licenseKeys, giftCards, token }: GuestPackages) => (
  <>
    {licenseKeys.length > 0 && <h2>License keys</h2>}
    {licenseKeys.map(({ name, key, status, activations, activation_limit: limit }) => (
      <section>
        <h3>{name}</h3>
        <p>
          <code>{key}</code>
        </p>
        <p class="muted">
          {status === "active" ? `Active on ${activations} of ${limit} devices.` : `This key is ${status}.`}
        </p>
      </section>
    ))}
    {giftCards.length > 0 && <h2>Gift cards</h2>}
    {giftCards.map(({ code, status, balance }) => (
      <section>
        <p>
          <code>{code}</code>
        </p>
        <p class="muted">{status === "ended" ? "This card was refunded or disabled." : `Balance: ${balance}`}</p>
      </section>
    ))}
    {packages.length > 0 && <h2>Downloads</h2>}
    {packages.map((held) => (
      <section>
        <h3>{held.name}</h3>
        <Rights held={held} />
        {packageStatus(held, Date.now()) === "active" &&
          held.files.map(({ id, file_name }) => (
            <Form form={formFor(null, "/account/order/download", { inputs: {} })}>
              <input type="hidden" name="token" value={token} />
              <input type="hidden" name="file_id" value={String(id)} />
              <Button tone="quiet">Download {file_name}</Button>
            </Form>
          ))}
      </section>
    ))}
    <details>
      <summary>Did you forward the e-mail?</summary>
      <p class="note">
        Whoever has its link can use it too. A new link goes to your address, and the old one stops working.
      </p>
      <Form form={formFor(null, "/account/order/rotate", { inputs: {} })}>
        <input type="hidden" name="token" value={token} />
        <Button tone="quiet">Replace the link</Button>
      </Form>
    </details>
  </>
);

const ENDED = {
  expired: "These downloads have expired.",
  exhausted: "There are no downloads left.",
  revoked: "These downloads were refunded or withdrawn by the shop.",
};

function Rights({ held }: { held: LinkedGuestOrder["packages"][number] }) {
  const status = packageStatus(held, Date.now());
  if (status !== "active") return <p class="muted">{ENDED[status]}</p>;
  const left = remainingOf(held);
  return (
    <p class="muted">
      {left === null ? "As often as you like" : `${left} of ${held.downloadLimit} downloads left`}
      {held.expiresAt !== null && (
        <>
          , until <When at={held.expiresAt} />
        </>
      )}
      .
    </p>
  );
}

/** Leads to the file of a guest's order, or answers with a short one. */
export async function downloadGuestFile(c: Context<AppEnv>, sent: SentForm): Promise<Response> {
  const { db, settings } = c.var;
  const request = sent.read(OrderLinkDownload, { token: text, file_id: ([id]) => Number(id) });
  const offer = await createGuestDownload(
    { env: c.env, db, settings, origin: new URL(c.req.url).origin, counts: true },
    request,
  );
  if (offer.kind === "link") return c.redirect(offer.url, 303);
  return c.body(offer.content, 200, {
    "Content-Type": "application/octet-stream",
    "Content-Disposition": contentDisposition(offer.file_name),
  });
}

export async function replaceGuestLink(c: Context<AppEnv>, ctx: WriteContext, sent: SentForm): Promise<Response> {
  const { token } = sent.read(OrderLinkBody, { token: text });
  await rotateOrderLink(ctx, token);
  sendInBackground(c);
  return donePage(c, "A new link is on its way", "Check your e-mail. The earlier link no longer works.", null, "mail");
}
