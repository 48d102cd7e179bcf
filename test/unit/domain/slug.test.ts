import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../scripts/fuzz/any-character.ts";
import { joinedSlugs, numberedSlug, Slug, slugOf } from "../../../src/domain/slug.ts";

describe("the slug of a name", () => {
  it.each([
    ["Café Crème, 200g", "cafe-creme-200g"],
    ["Größe Straße", "grosse-strasse"],
    ["Łódź", "lodz"],
    ["Smørrebrød på dansk", "smorrebrod-pa-dansk"],
    ["Đà Nẵng", "da-nang"],
    ["Ærø Œuvre", "aero-oeuvre"],
    ["İstanbul ışık", "istanbul-isik"],
    ["Þingvellir", "thingvellir"],
    ["Футболка чёрная", "futbolka-chyornaya"],
    ["Їжак", "yizhak"],
    ["中文茶具", "zhong-wen-cha-ju"],
    ["コーヒー", "kohi"],
    ["커피 원두", "keopi-weondu"],
    ["Καφές Ελληνικός", "kafes-ellinikos"],
    ["ＡＢＣ １２", "abc-12"],
    ["½ kg", "1-2-kg"],
    ["C++", "c"],
  ])("%s is %s", async (name, slug) => {
    expect(await slugOf(name)).toBe(slug);
  });

  it.each(["قهوة عربية", "กาแฟไทย", "עברית", "हिन्दी", "ქართული", "Հայերեն"])("has the letters of %s", async (name) => {
    expect(await slugOf(name)).toMatch(/^[a-z]/);
  });

  it("gives names without letters different slugs", async () => {
    expect(await slugOf("🍵")).not.toBe(await slugOf("☕"));
    expect(await slugOf("+++")).toBe("2b-2b-2b");
  });

  it("is valid, whatever the name", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 40 }), fc.string(), async (name, sku) => {
        const slug = await slugOf(name);
        expect(Slug.safeParse(slug).success).toBe(true);
        expect(Slug.safeParse(numberedSlug(joinedSlugs(slug, await slugOf(sku)), 500_000)).success).toBe(true);
      }),
    );
  });
});
