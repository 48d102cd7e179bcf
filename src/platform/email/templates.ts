import type * as z from "zod";
import { userTemplates } from "../../accounts/users/emails.ts";
import { staffTemplates } from "../../accounts/users/staff/emails.ts";
import { downloadTemplates } from "../../checkout/orders/emails/downloads.ts";
import { draftTemplates } from "../../checkout/orders/emails/order.ts";
import { orderEventTemplates } from "../../checkout/orders/emails/order-events.ts";
import { subscriptionTemplates } from "../../checkout/orders/emails/subscriptions.ts";
import { returnTemplates } from "../../checkout/orders/returns/emails.ts";

export const templates = {
  ...draftTemplates,
  ...orderEventTemplates,
  ...downloadTemplates,
  ...subscriptionTemplates,
  ...returnTemplates,
  ...staffTemplates,
  ...userTemplates,
};

export type TemplateName = keyof typeof templates;
export type Params<Name extends TemplateName> = z.input<(typeof templates)[Name]["params"]>;

export const isTemplate = (name: string): name is TemplateName => Object.hasOwn(templates, name);
