import type { Language } from "../../domain/language.ts";
import { formatMoney } from "../../domain/money.ts";
import type { PaymentMethod } from "../../domain/payment-methods.ts";
import { formatPercent } from "../../domain/percent.ts";
import { formatLongMoment } from "../../domain/time.ts";
import german from "./languages/de.json" with { type: "json" };
import spanish from "./languages/es.json" with { type: "json" };
import french from "./languages/fr.json" with { type: "json" };

/** A text of e-mails to buyers, in English. It may contain variables in braces. */
export type Sentence = keyof typeof german;

const translations: Record<Exclude<Language, "en">, Record<Sentence, string>> = {
  de: german,
  fr: french,
  es: spanish,
};

/** Names of payment methods, which are those of `paymentTerms`. */
export const methodNames = {
  wallet: "wallet",
  credit_card: "credit card",
  paypal: "PayPal",
  test_card: "test card",
  bank_transfer: "bank transfer",
  invoice: "invoice",
  cash: "cash",
} as const satisfies Record<PaymentMethod, Sentence>;

/** Titles of invoices by their type. */
export const invoiceTitles = {
  invoice: "Invoice {number}",
  credit_note: "Credit note {number}",
  corrected_invoice: "Corrected invoice {number}",
} as const satisfies Record<string, Sentence>;

/** A text in another language, with its variables. */
export const translated = (message: Sentence, language: Language): string =>
  language === "en" ? message : translations[language][message];

/** Names of the variables in a text. */
export const variablesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

export type Variables = Readonly<Record<string, string>>;

/** Replaces the variables of a text. Their values may contain braces. */
export const filled = (text: string, variables: Variables): string =>
  text.replaceAll(/\{(\w+)\}/g, (variable, name) => variables[name] ?? variable);

/** Writes texts, times, amounts and lists in a language. */
export function writerIn(language: Language) {
  const say = (message: Sentence, variables: Variables = {}): string =>
    filled(translated(message, language), variables);
  const percent = (millionths: number): string => formatPercent(millionths, language);
  return {
    language,
    say,
    percent,
    /** A tax with its rate. Presets name it VAT. */
    taxName: (name: string, rate: number): string => `${name === "VAT" ? say(name) : name} ${percent(rate)}`,
    moment: (at: number): string => formatLongMoment(at, undefined, language === "en" ? undefined : language),
    money: (minor: number, currency: string): string => formatMoney(minor, currency, language),
    list: (texts: readonly string[]): string => new Intl.ListFormat(language).format(texts),
  };
}
