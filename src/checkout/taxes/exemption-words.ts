import type { Language } from "../../domain/language.ts";
import type { StoredTaxLine, TaxExemption } from "../../platform/db/schema.ts";

// The mentions of article 226 (11) and (11a) of Directive 2006/112/EC, in the languages of invoices.

const words: Record<TaxExemption, Record<Language, string>> = {
  reverse_charge: {
    en: "Reverse charge: the recipient owes the VAT (article 196 of Directive 2006/112/EC)",
    de: "Steuerschuldnerschaft des Leistungsempfängers (Artikel 196 der Richtlinie 2006/112/EG)",
    fr: "Autoliquidation (article 196 de la directive 2006/112/CE)",
    es: "Inversión del sujeto pasivo (artículo 196 de la Directiva 2006/112/CE)",
  },
  intra_community_supply: {
    en: "VAT-exempt intra-Community supply (article 138 of Directive 2006/112/EC)",
    de: "Steuerfreie innergemeinschaftliche Lieferung (Artikel 138 der Richtlinie 2006/112/EG)",
    fr: "Livraison intracommunautaire exonérée de TVA (article 138 de la directive 2006/112/CE)",
    es: "Entrega intracomunitaria exenta de IVA (artículo 138 de la Directiva 2006/112/CE)",
  },
  export: {
    en: "VAT-exempt export (article 146 of Directive 2006/112/EC)",
    de: "Steuerfreie Ausfuhrlieferung (Artikel 146 der Richtlinie 2006/112/EG)",
    fr: "Exportation exonérée de TVA (article 146 de la directive 2006/112/CE)",
    es: "Exportación exenta de IVA (artículo 146 de la Directiva 2006/112/CE)",
  },
  small_business: {
    en: "VAT-exempt small business (article 284 of Directive 2006/112/EC)",
    de: "Steuerbefreiung für Kleinunternehmer (Artikel 284 der Richtlinie 2006/112/EG)",
    fr: "Franchise en base de TVA (article 284 de la directive 2006/112/CE)",
    es: "Régimen de franquicia del IVA (artículo 284 de la Directiva 2006/112/CE)",
  },
  voucher: {
    en: "Multi-purpose voucher: VAT is due when it is used (article 30b of Directive 2006/112/EC)",
    de: "Mehrzweck-Gutschein: Mehrwertsteuer fällt bei der Einlösung an (Artikel 30b der Richtlinie 2006/112/EG)",
    fr: "Bon à usages multiples : la TVA est due lors de son utilisation (article 30 ter de la directive 2006/112/CE)",
    es: "Bono polivalente: el IVA se devenga al canjearlo (artículo 30 ter de la Directiva 2006/112/CE)",
  },
};

/** National mentions of small businesses: § 34a UStDV, § 6 of the Austrian UStG, article 293 E CGI, Belgian royal decree no. 19. */
const nationalWords: Record<string, string> = {
  DE: "Steuerbefreiung für Kleinunternehmer (§ 19 UStG)",
  AT: "Steuerbefreiung für Kleinunternehmer (§ 6 Abs. 1 Z 27 UStG)",
  FR: "TVA non applicable, art. 293 B du CGI",
  BE: "Régime particulier de franchise des petites entreprises",
};

/** The sentences that the law wants on documents with these taxes. Null without an exemption. */
export function exemptionWords(
  taxLines: readonly Pick<StoredTaxLine, "exemption">[],
  { language, homeCountry }: { language: Language; homeCountry: string | null },
): string | null {
  const found = new Set(taxLines.flatMap(({ exemption }) => exemption ?? []));
  const sentences = [...found].map(
    (exemption) => (exemption === "small_business" && nationalWords[homeCountry ?? ""]) || words[exemption][language],
  );
  return sentences.join(". ") || null;
}
