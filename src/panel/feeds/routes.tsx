import { type FeedRow, feedResource, formatLabels, rotateFeedUrl } from "../../back-office/feeds/feeds.ts";
import { linkOf } from "../../back-office/feeds/items.ts";
import { findExample } from "../../back-office/feeds/product-address.ts";
import { listRefusedItems } from "../../back-office/feeds/refusals.ts";
import { countryName } from "../../domain/place.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { When } from "../kit/dates.tsx";
import { ConfirmButton } from "../kit/form.tsx";
import { Card, ShownOnce } from "../kit/page-parts.tsx";
import { CopyField } from "../kit/values.tsx";
import { page } from "../page.tsx";
import { resourcePages } from "../resource-pages.tsx";

const FEEDS_PATH = "/admin/feeds";

export const feedPages = resourcePages(feedResource, {
  title: "Product feeds",
  shortName: "feed",
  heading: ({ name }) => name,
  rowLabel: ({ name }) => name,
  columns: [
    { title: "Name", cell: ({ id, name }) => <a href={`${FEEDS_PATH}/${id}`}>{name}</a> },
    { title: "Format", cell: ({ format }) => formatLabels[format] },
    { title: "Country", cell: ({ country }) => countryName(country) },
  ],
  none: { title: "No feeds yet", narrowed: "No matching feeds" },
  purpose: "A feed lists your active products for a destination such as Google, which reads it at a secret address.",
  deletion: "Its address stops working at once.",
  more: {
    content: async (c, row, failed) => {
      const [items, example] = await Promise.all([listRefusedItems(c.var.db), findExample(c.var.db)]);
      return (
        <>
          <Address feed={row as FeedRow} failed={failed} />
          {example && <Example name={example.name} link={linkOf(example, (row as FeedRow).productUrl)} />}
          <LeftOut items={items} />
        </>
      );
    },
    forms: {
      "/address": async (c, id, { ifMatch }) => {
        const { origin } = new URL(c.req.url);
        const { address } = await rotateFeedUrl(writeContextOf(c), { id, origin, ifMatch });
        return page(c, "New address", <AddressPage id={id} address={address} />);
      },
    },
  },
});

const Address = ({ feed, failed }: { feed: FeedRow; failed: Failed | null }) => {
  const form = formFor(failed, `${FEEDS_PATH}/${feed.id}/address`, { etag: etagOf(feed.updatedAt) });
  const hasAddress = feed.keyHash !== null;
  return (
    <Card title="Address">
      <p>
        {hasAddress ? (
          <>
            Last read: <When at={feed.readAt} none="not yet" />. The address was shown when it was created.
          </>
        ) : (
          "The feed has no address yet, so nobody can read it."
        )}
      </p>
      <ConfirmButton
        needs="settings:write"
        form={form}
        label={hasAddress ? "Replace address" : "Create address"}
        title={hasAddress ? "Replace the address?" : "Create an address?"}
        text={
          hasAddress
            ? "The old address stops working at once. Give the new one to the destination."
            : "It is shown once. Anyone who has it can read your active products."
        }
        tone={hasAddress ? "danger" : "primary"}
      />
    </Card>
  );
};

/** Where a product of the feed leads, so that a wrong pattern is noticed before shoppers follow it. */
const Example = ({ name, link }: { name: string; link: string }) => (
  <Card title="Where products lead">
    <p>
      {name}:{" "}
      <a href={link} target="_blank" rel="noreferrer">
        {link}
      </a>
    </p>
    <p class="muted">If the link does not open this product, change the address below.</p>
  </Card>
);

const LeftOut = ({ items }: { items: Awaited<ReturnType<typeof listRefusedItems>> }) => (
  <Card title="Items left out">
    {items.length === 0 ? (
      <p>The feed has all of your active products.</p>
    ) : (
      <ul>
        {items.map(({ id, name, sku, reason }) => (
          <li>
            <a href={`/admin/products/${id}`}>
              {name} ({sku})
            </a>
            : {reason}
          </li>
        ))}
      </ul>
    )}
  </Card>
);

/** A feed's URL, which no later page can show. */
const AddressPage = ({ id, address }: { id: number; address: string }) => (
  <ShownOnce
    warning="Copy the address now and give it to the destination. It is shown only once."
    next={`${FEEDS_PATH}/${id}`}
  >
    <CopyField id="feed-address" label="Address" value={address} />
  </ShownOnce>
);
