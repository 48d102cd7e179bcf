import type { Context } from "hono";
import { ShopUpdate, shopFields } from "../../back-office/shop/fields.ts";
import { changeShop, readShop } from "../../back-office/shop/shop.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { etagOf } from "../../platform/http/version.ts";
import { submitForm } from "../forms/attempt.ts";
import { inputsOf, kindsOf, valuesOf } from "../forms/conversion.ts";
import { type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import { imageLines, readImageLines } from "../forms/kinds.ts";
import { Fields, Images } from "../kit/fields.tsx";
import { AuditLink, FormCard, PageHeader } from "../kit/page-parts.tsx";
import { PreviewButton } from "../kit/preview.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { DESIGN, TEMPLATES_PATH } from "./pages.tsx";

const { color, sender_name, reply_to, language } = shopFields;
const fields = { color, sender_name, reply_to, language };

const inputs = {
  ...inputsOf(fields),
  logo: {
    as: "images",
    label: "Logo",
    hint: "Shown above e-mails, 48 pixels high. Only the first image is used.",
    read: ([typed]) => readImageLines(typed)[0] ?? null,
  },
} satisfies FormInputs;

export const saveDesign = submitForm(designPage, async (c, sent) => {
  const change = sent.readChange(ShopUpdate, kindsOf(inputs));
  await changeShop(writeContextOf(c), { change, ifMatch: sent.ifMatch });
  return "The design of e-mails was saved.";
});

/** Logo, color, sender and language of all e-mails, beside one of them. */
export async function designPage(c: Context<PanelEnv>, failed: Failed | null) {
  const shop = await readShop(c.var.db, c.var.settings.email);
  const values = { ...valuesOf(fields, shop), logo: imageLines(shop.logo ? [shop.logo] : []) };
  const form = formFor(failed, DESIGN, { inputs, values, etag: etagOf(shop.updatedAt) });
  const shown = { color: form.values.color?.[0] ?? "", logo: form.values.logo?.[0] ?? "" };
  const query = new URLSearchParams({ ...shown, language: form.values.language?.[0] ?? "" });
  return page(
    c,
    "Design and sender of e-mails",
    <>
      <PageHeader>
        <AuditLink subject="shop" id={1} />
      </PageHeader>
      <div class="editor">
        <div data-preview>
          <div class="device desktop">
            <iframe
              title="An e-mail in this design"
              src={`${TEMPLATES_PATH}/payment_received/html?${query}`}
              sandbox="allow-same-origin"
            />
          </div>
        </div>
        <div>
          <FormCard form={form} button="Save design">
            <Images form={form} name="logo" />
            <Fields form={form} names={["color", "sender_name", "reply_to", "language"]} />
            <PreviewButton />
          </FormCard>
        </div>
      </div>
    </>,
  );
}
