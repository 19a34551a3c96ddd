import { assert, assertEquals } from "@std/assert";
import type { Account } from "../../../../domain/accounts/account.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
} from "../../../support/advertiser_site.ts";
import {
  approvedCreative,
  readyAccount,
} from "../../../support/bidding_world.ts";

const { id: _, email: __, ...READY } = readyAccount("ada");
const NO_CARD: Partial<Account> = {
  ...READY,
  identityStatus: "unverified",
  defaultPaymentMethodId: null,
};
const NO_IDENTITY: Partial<Account> = {
  ...READY,
  identityStatus: "unverified",
};

/** The step that a page leads on to, or is itself, as text; null for none. */
async function nextOn(
  site: AdvertiserSite,
  changes: Partial<Account>,
  path: string,
): Promise<string | null> {
  const browser = await site.browser("ada", changes);
  const html = await (await browser.get(path)).text();
  const mains = [...html.matchAll(/class="(?:button )?main"/g)];
  assert(mains.length <= 1, `${path} has ${mains.length} main buttons`);
  const [, inside] = /<section class="next">(.*?)<\/section>/s.exec(html) ?? [];
  if (inside === undefined) {
    return />(Step \d of \d to your first bid)</.exec(html)?.[1] ?? null;
  }
  const [, href] = /href="([^"]*)"/.exec(inside) ?? [];
  const [, nth] = /Step (\d of \d)/.exec(inside) ?? [];
  return `${nth}: ${href}`;
}

const CASES: readonly [
  name: string,
  account: Partial<Account>,
  path: string,
  next: string | null,
][] = [
  [
    "a company that is saved, to the card",
    NO_CARD,
    "/onboarding",
    "2 of 5: /billing",
  ],
  [
    "a card that is saved, to the identity",
    NO_IDENTITY,
    "/billing",
    "3 of 5: /identity",
  ],
  [
    "an identity that is verified, to the ad",
    READY,
    "/identity",
    "4 of 5: /creatives/new",
  ],
  [
    "a step that is to be taken here, nowhere",
    NO_CARD,
    "/billing",
    "Step 2 of 5 to your first bid",
  ],
  [
    "a check that is to be taken here, nowhere",
    NO_IDENTITY,
    "/identity",
    "Step 3 of 5 to your first bid",
  ],
  [
    "an ad that is to be written here, nowhere",
    READY,
    "/creatives/new",
    "Step 4 of 5 to your first bid",
  ],
  [
    "a page before its turn, to what comes first",
    { company: null },
    "/billing",
    "1 of 5: /onboarding",
  ],
];

for (const [name, account, path, next] of CASES) {
  Deno.test(`the way to a first bid leads on from ${name}`, async () => {
    await using site = await openAdvertiserSite();
    assertEquals(await nextOn(site, account, path), next);
  });
}

Deno.test("nobody who may bid is led on by a step", async () => {
  await using site = await openAdvertiserSite();
  await site.services.store.transact((tx) =>
    tx.creatives.save(approvedCreative("ada"))
  );
  for (const path of ["/onboarding", "/billing", "/identity"]) {
    assertEquals(await nextOn(site, READY, path), null, path);
  }
});

Deno.test("an operator, who can never bid, is led on by no step", async () => {
  await using site = await openAdvertiserSite();
  const email = "operator@example.com";
  const browser = await site.browser("operator", { ...NO_CARD, email });
  const html = await (await browser.get("/onboarding")).text();
  assert(!html.includes('class="next"'));
});
