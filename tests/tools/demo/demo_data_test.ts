import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import { DEMO_ADVERTISERS, demoAccount } from "../../../tools/demo/accounts.ts";
import { demoHouseAds } from "../../../tools/demo/house_ads.ts";
import { AD_ID_SHAPE } from "../../../domain/limits.ts";
import { TODAY } from "./demo_world.ts";

const ALL = DEMO_ADVERTISERS.map((advertiser) =>
  demoAccount(advertiser, { seed: "1", firstDay: TODAY, today: TODAY })
);
const HOUSE_ADS = demoHouseAds("https://spotlight.example.com");
const COPY = [...ALL.flatMap(({ creatives }) => creatives), ...HOUSE_ADS];

/** Forms of VAT ids, by the country of the company. */
const VAT_FORMS: Readonly<Record<string, RegExp>> = {
  CZ: /^CZ\d{8,10}$/,
  DE: /^DE[1-9]\d{8}$/,
  ES: /^ES[A-Z]\d{8}$/,
  FI: /^FI\d{8}$/,
  FR: /^FR\d{11}$/,
  GR: /^EL\d{9}$/,
  IE: /^IE\d{7}[A-W][A-I]?$/,
  IT: /^IT\d{11}$/,
  LV: /^LV\d{11}$/,
  NL: /^NL\d{9}B\d{2}$/,
  PL: /^PL\d{10}$/,
  PT: /^PT\d{9}$/,
};

/** Control, bidi, zero-width and tag characters. */
const FORBIDDEN =
  /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

for (const { headline, description, targetUrl } of COPY) {
  Deno.test(`the demo copy "${headline}" has the form of a creative`, () => {
    const [long, longer] = [[...headline].length, [...description].length];
    assert(long >= 4 && long <= 60, `headline of ${long} code points`);
    assert(longer >= 10 && longer <= 200, `description of ${longer}`);
    for (const text of [headline, description]) {
      assertEquals(text, text.normalize("NFC"));
      assertEquals(text, text.trim());
      assert(!FORBIDDEN.test(text));
    }
    const url = new URL(targetUrl);
    assertEquals(url.protocol, "https:");
    assert(url.hostname.endsWith(".example.com"));
    assert(targetUrl.length <= 2_048);
  });
}

Deno.test("demo house ads lead to our own page for advertisers", () => {
  assertEquals(
    new Set(HOUSE_ADS.map(({ targetUrl }) => targetUrl)),
    new Set(["https://spotlight.example.com/advertise"]),
  );
});

Deno.test("no two demo advertisements share a headline or an id", () => {
  const creatives = ALL.flatMap((demo) => demo.creatives);
  const headlines = COPY.map(({ headline }) => headline);
  assertEquals(new Set(headlines).size, headlines.length);
  const ids = creatives.map(({ adId }) => adId);
  assertEquals(new Set(ids).size, ids.length);
  assert(ids.every((id) => AD_ID_SHAPE.test(id)));
});

Deno.test("every demo company has a VAT id of its country's form", () => {
  for (const { account } of ALL) {
    if (account.company === null) continue;
    const { country, vatId } = account.company;
    assert(VAT_FORMS[country]?.test(vatId ?? ""), `${country} ${vatId}`);
  }
});

Deno.test("every demo address is an e-mail address of its own", () => {
  const emails = ALL.map(({ account }) => account.email);
  assertEquals(new Set(emails).size, emails.length);
  for (const email of emails) {
    assertEquals(z.email().parse(email), email.toLowerCase());
  }
});

Deno.test("the demo advertisers come from many countries and scripts", () => {
  const countries = ALL.flatMap(({ account }) =>
    account.company?.country ?? []
  );
  assert(new Set(countries).size >= 10);
  const text = COPY.map(({ headline, description }) => headline + description)
    .join();
  assert(/\p{Script=Greek}/u.test(text));
  assert(/[àäéöżķ]/u.test(text));
});
