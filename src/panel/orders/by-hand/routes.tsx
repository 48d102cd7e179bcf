import { type Context, Hono } from "hono";
import * as z from "zod";
import { placeByHand, quoteByHand } from "../../../checkout/orders/by-hand/create-by-hand.ts";
import {
  AdminOrderCreate,
  contentOf,
  DraftContent,
  DraftPlacement,
  type DraftRow,
  DraftsQuery,
  QuotedContent,
} from "../../../checkout/orders/by-hand/schemas.ts";
import {
  changeDraft,
  deleteDraft,
  insertDraft,
  listDrafts,
  placeDraft,
  quoteDraft,
  requireDraft,
  sendDraft,
} from "../../../checkout/orders/drafts/drafts.ts";
import { ApiError } from "../../../domain/errors.ts";
import { accountScopeOf, writeContextOf } from "../../../platform/auth/caller.ts";
import { administer } from "../../../platform/auth/gates.ts";
import { draftOrderStatuses } from "../../../platform/db/schema.ts";
import { sendInBackground } from "../../../platform/email/send.ts";
import { once } from "../../../platform/idempotency/once.ts";
import { redirectWithFlash } from "../../flash.ts";
import { submitForm } from "../../forms/attempt.ts";
import type { Failed, FormInputs } from "../../forms/inputs.ts";
import type { FieldKind, Values } from "../../forms/kinds.ts";
import { readFilters, type SentForm, sentForm } from "../../forms/read-form.ts";
import { When } from "../../kit/dates.tsx";
import { choiceFilter, ownLabels } from "../../kit/filters.tsx";
import { Badge, CustomerReference } from "../../kit/values.tsx";
import { listPage } from "../../list-page.tsx";
import type { PanelEnv } from "../../page.tsx";
import { chosenIn } from "../../pickers/resolve.ts";
import { recordPages } from "../../record-pages.ts";
import { readNames, userReference } from "../../references.ts";
import { errorsIn } from "../form-sections.tsx";
import { draftOrderPage, newOrderPage, type SeenOrder } from "./form-page.tsx";
import {
  calculated,
  inputsFor,
  NO_CHOICES,
  orderedIn,
  orderKinds,
  readAddresses,
  readLastAddress,
  rowErrors,
  TERMS,
  withoutOthersAddress,
  withoutRemoved,
  withRecipient,
  withUnshown,
} from "./inputs.ts";

export const ordersByHand = new Hono<PanelEnv>()
  .get("/orders/new", administer("orders:write"), (c) => newOrderPage(c, { failed: null }))
  .post(
    "/orders/new",
    administer("orders:write"),
    submitForm(async (c, failed) => newOrderPage(c, await refused(c, failed)), saveOrPlace),
  )
  .route(
    "/",
    recordPages("/orders/drafts", {
      reads: administer("orders:read"),
      writes: administer("orders:write"),
      listPage: draftsPage,
      rowPage: showDraft,
      forms: {
        "": (c, id, sent) => saveOrPlace(c, sent, id),
        "/send": async (c, id, { ifMatch }) => {
          await once(c, null, (ctx) => sendDraft(ctx, { id, ifMatch }));
          sendInBackground(c);
          return "The draft was sent.";
        },
        "/delete": async (c, id, { ifMatch }) => {
          await deleteDraft(writeContextOf(c), { id, ifMatch });
          return redirectWithFlash(c, "/admin/orders/drafts", "The draft was deleted.");
        },
      },
    }),
  );

async function draftsPage(c: Context<PanelEnv>) {
  const { query, form } = readFilters(c, DraftsQuery, draftFilterInputs);
  const found = await listDrafts(c.var.db, query, accountScopeOf(c.var.caller));
  const names = await readNames(c.var.db, found.rows.map(userReference));
  return listPage(c, {
    noun: "drafts",
    found,
    form,
    add: { path: "/admin/orders/new", label: "Create order", needs: "orders:write" },
    columns: [
      { title: "Draft", cell: ({ id }) => <a href={`/admin/orders/drafts/${id}`}>Draft {id}</a> },
      {
        title: "Customer",
        cell: ({ userId, content }) =>
          userId === null ? guestOf(content) : <CustomerReference userId={userId} names={names} />,
      },
      { title: "Status", cell: ({ status }) => <Badge status={status} /> },
      { title: "Created", phone: "second", cell: ({ createdAt }) => <When at={createdAt} brief /> },
      { title: "Items", numeric: true, phone: "titled", cell: ({ content }) => unitsOf(content) },
    ],
    purpose: "Prepare an order and send it to a customer, who confirms and pays it.",
  });
}

/** A draft, or the resulting order. */
async function showDraft(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const draft = await requireDraft(c.var.db, id, accountScopeOf(c.var.caller));
  if (draft.orderId !== null) return c.redirect(`/admin/orders/${draft.orderId}`, 303);
  if (failed?.action === c.req.path) return draftOrderPage(c, { draft, ...(await refused(c, failed)) });
  const quote = (await quoteDraft(writeContextOf(c), draft)) ?? undefined;
  return draftOrderPage(c, { draft, failed, quote });
}

/** Saves or places a new order, or the draft with the id, or calculates it. */
async function saveOrPlace(c: Context<PanelEnv>, typed: SentForm, id?: number): Promise<Response> {
  const chosen = withoutRemoved(await chosenIn(c, typed, inputsFor([], NO_CHOICES)));
  const sent = withRecipient(withoutOthersAddress(chosen));
  const kinds = orderKinds(sent.values);
  const terms = Object.fromEntries(TERMS.map((name) => [name, kinds[name] ?? (() => undefined)]));
  const { do: [action] = [] } = sent.values;
  if (action === "place" && id === undefined) {
    const order = sent.read(AdminOrderCreate, kinds);
    const placed = await once(c, order, (ctx) => placeByHand(ctx, order));
    return redirectWithFlash(c, `/admin/orders/${placed.id}`, "The order was placed.");
  }
  if (action !== "place" && action !== "save") return updatedPage(c, sent, id);
  const content = sent.read(DraftContent, contentKinds(sent.values));
  const placement = sent.read(DraftPlacement, terms);
  const draft = await saved(c, sent, { content, id });
  const path = `/admin/orders/drafts/${draft.id}`;
  if (action === "save") return redirectWithFlash(c, path, "The draft was saved.");
  const which = { id: draft.id, ifMatch: {} };
  const placed = await once(c, [draft.id, placement], (ctx) => placeDraft(ctx, which, placement));
  return redirectWithFlash(c, `/admin/orders/${placed.id}`, "The order was placed.");
}

/** Converters of the form into the content of an order, without the terms on which it is placed. */
const contentKinds = (values: Values): Record<string, FieldKind> =>
  Object.fromEntries(Object.entries(orderKinds(values)).filter(([name]) => !TERMS.some((term) => term === name)));

/** The form with the customer's first address, or that of the last order, until another one is chosen or typed. */
async function withSavedAddress(c: Context<PanelEnv>, { action, values }: SentForm): Promise<SentForm> {
  const { shipping_address_id: [chosen] = [], ...others } = values;
  const isTyped = Boolean(values["shipping_address.address"]?.[0]?.trim());
  if (isTyped) return sentForm(action, others);
  const scope = accountScopeOf(c.var.caller);
  const offered = (await readAddresses(c.var.db, scope, values)).map(([value]) => value);
  const [first] = offered;
  if (first === undefined) return sentForm(action, { ...others, ...(await readLastAddress(c.var.db, scope, values)) });
  const kept = chosen === "" || (chosen !== undefined && offered.includes(chosen));
  return sentForm(action, { ...others, shipping_address_id: [kept ? chosen : first] });
}

type SentDraft = { content: DraftContent; id: number | undefined };

async function saved(c: Context<PanelEnv>, { ifMatch }: SentForm, { content, id }: SentDraft): Promise<DraftRow> {
  if (id === undefined) return once(c, content, (ctx) => insertDraft(ctx, content));
  const draft = await requireDraft(c.var.db, id, accountScopeOf(c.var.caller));
  return changeDraft(writeContextOf(c), { id, ifMatch }, withUnshown(content, contentOf(draft)));
}

/** The form with the order's total and every reason to refuse it. The order may lack its buyer and items so far. */
async function updatedPage(c: Context<PanelEnv>, typed: SentForm, id?: number) {
  const sent = await withSavedAddress(c, typed);
  const { action, values } = sent;
  const { quote, missing } = await quoteSoFar(c, sent);
  const isFor = values.user_id?.[0] || values["customer.email"]?.[0];
  const isAsked = isFor && missing.length === 0;
  const found = (quote?.problems ?? []).filter(({ field }) => isAsked || field !== "shipping_address");
  const problems = [...missing, ...found];
  const isFine = problems.length === 0;
  const message = isFine ? "The total is up to date. The order is not placed yet." : "This order cannot be placed yet:";
  const failed = inRows({ action, values, errors: errorsIn(problems), message, tone: isFine ? "success" : "warning" });
  const seen: SeenOrder = { failed: { ...failed, values: calculated(values) }, quote };
  if (id === undefined) return newOrderPage(c, seen);
  return draftOrderPage(c, { ...seen, draft: await requireDraft(c.var.db, id, accountScopeOf(c.var.caller)) });
}

/** The order so far. What its buyer or address still lacks is missing rather than refused, because it is being filled in. */
async function quoteSoFar(c: Context<PanelEnv>, { values, read }: SentForm) {
  if (orderedIn(values).length === 0) return { missing: [] };
  const kinds = Object.entries(contentKinds(values));
  const quoted = async (fields: typeof kinds) =>
    quoteByHand(writeContextOf(c), read(QuotedContent, Object.fromEntries(fields)));
  const isOptional = (name: string) => /^(customer|shipping_address)(\.|$)/.test(name);
  try {
    return { quote: await quoted(kinds), missing: [] };
  } catch (error) {
    if (!(error instanceof ApiError) || !error.fields.every(({ field }) => isOptional(field))) throw error;
    return { quote: await quoted(kinds.filter(([name]) => !isOptional(name))), missing: error.fields };
  }
}

/** A refused form with its total, and so with the shipping methods to choose from. */
async function refused(c: Context<PanelEnv>, failed: Failed): Promise<SeenOrder> {
  const found = await quoteSoFar(c, sentForm(failed.action, failed.values)).catch((error: unknown) => {
    if (error instanceof ApiError) return { quote: undefined };
    throw error;
  });
  return { failed: inRows(failed), quote: found.quote };
}

const inRows = (failed: Failed): Failed => ({ ...failed, errors: rowErrors(failed.values, failed.errors) });

const draftFilterInputs = {
  status: choiceFilter("Status", ownLabels(draftOrderStatuses)),
} satisfies FormInputs;

const DraftSummary = z.object({
  customer: z.object({ name: z.string() }).optional(),
  items: z.array(z.object({ quantity: z.int() })),
});

const guestOf = (content: DraftRow["content"]) => DraftSummary.parse(content).customer?.name;

const unitsOf = (content: DraftRow["content"]) =>
  DraftSummary.parse(content).items.reduce((sum, { quantity }) => sum + quantity, 0);
