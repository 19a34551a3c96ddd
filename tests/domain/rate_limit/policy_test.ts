import { assert, assertEquals } from "@std/assert";
import {
  ACCOUNT_VAT_LOOK_UPS,
  ALL_CLIENT_FETCHES,
  ALL_IDENTITY_CHECKS,
  ALL_VAT_LOOK_UPS,
  BUCKET_POLICIES,
  type BucketPolicy,
  CARD_IDENTITY_CHECKS,
  CARD_VAT_LOOK_UPS,
  COPIES,
  EMAIL_CHANGES,
  FIRSTS,
  LATER_VAT_LOOK_UPS,
  NETWORK_POLICIES,
  NEWCOMER_VAT_LOOK_UPS,
  REPEATED_CLIENT_FETCHES,
  REPEATED_IDENTITY_CHECKS,
  REPEATED_VAT_LOOK_UPS,
  SIGN_IN_DEVICE,
  SIGN_IN_DEVICES,
  SIGN_IN_EMAIL,
  VISITS,
} from "../../../domain/rate_limit/policy.ts";

const OPERATIONS = await Deno.readTextFile(
  new URL("../../../docs/operations.md", import.meta.url),
);

/** Each policy, and how the row of the page begins that says what it is. */
const ROWS: readonly [row: string, policy: BucketPolicy][] = [
  ["Registering a client", NETWORK_POLICIES.registration],
  ["Authorization requests kept", NETWORK_POLICIES.authorization],
  ["Having a client's document fetched", NETWORK_POLICIES.client_fetch],
  ["Reporting an advertisement", NETWORK_POLICIES.report],
  ["Look-ups of VAT ids for accounts without", NETWORK_POLICIES.vat_look_up],
  ["The same from all networks | 150", NEWCOMER_VAT_LOOK_UPS],
  [
    "The same for accounts that have no more than a card, by its number | 10 at",
    CARD_VAT_LOOK_UPS,
  ],
  ["Checks of identity, each of which", NETWORK_POLICIES.identity_check],
  ["The same with one card", CARD_IDENTITY_CHECKS],
  ["The same from all networks | 300", ALL_IDENTITY_CHECKS],
  ["The processor's pages for cards", NETWORK_POLICIES.card_page],
  ["What else the pages of accounts without", NETWORK_POLICIES.processor_call],
  ["Payments of figures over HTTP 402", NETWORK_POLICIES.payment],
  ["The same of everybody | 500", BUCKET_POLICIES.all_payments],
  ["The same and POSTs of its checkouts", BUCKET_POLICIES.kept_change],
  ["Searches on pages", NETWORK_POLICIES.page_search],
  ["Public pages and feeds", VISITS],
  ["Copies of one", NETWORK_POLICIES.copy],
  ["Copies of one", COPIES],
  ["Pictures of days", NETWORK_POLICIES.picture],
  ["Jobs of the sandbox", NETWORK_POLICIES.sandbox_job],
  ["Challenges for passkeys", NETWORK_POLICIES.passkey],
  ["Codes for signing in, to whatever", NETWORK_POLICIES.sign_in_mail],
  ["Codes for signing in, to one address", NETWORK_POLICIES.sign_in_email],
  ["The same from all networks | 120", SIGN_IN_EMAIL],
  ["Codes for browsers in which the", NETWORK_POLICIES.known_browser_mail],
  ["The same to one address, from all networks: of one", SIGN_IN_DEVICE],
  ["Changes of an account's e-mail address", EMAIL_CHANGES],
  ["Codes mailed for browsers", BUCKET_POLICIES.new_browser_mails],
  ["Documents of clients fetched, everybody", ALL_CLIENT_FETCHES],
  ["Bids by the agents of one account", BUCKET_POLICIES.bid],
  ["What one of its agents may bid or change", BUCKET_POLICIES.share],
  ["Lists that the agents of one account", BUCKET_POLICIES.list],
  ["Changes but bids by the agents", BUCKET_POLICIES.change],
  [
    "What is kept for accounts without a checked",
    BUCKET_POLICIES.newcomer_kept,
  ],
  [
    "The same for accounts that have no more than a card, by its number | 10,",
    BUCKET_POLICIES.card_kept,
  ],
  ["POSTs of the checkout by the agents", BUCKET_POLICIES.checkout],
  ["Looks at its agents", BUCKET_POLICIES.address],
  ["Look-ups of VAT ids for one account", ACCOUNT_VAT_LOOK_UPS],
  ["The same for everybody together", ALL_VAT_LOOK_UPS],
];

Deno.test("every bucket holds and gets back what the operators' page says", () => {
  for (const [row, policy] of ROWS) {
    const line = OPERATIONS.split("\n").find((one) =>
      one.startsWith(`| ${row}`)
    );
    assert(line !== undefined, row);
    const ways = waysToSay(policy);
    assert(ways.some((way) => line.includes(way)), `${line} ${ways}`);
  }
});

Deno.test("an address clicks as often as it does all else, out of a bucket of its own", () => {
  assertEquals(BUCKET_POLICIES.click, BUCKET_POLICIES.address);
});

Deno.test("all browsers of an address together, and the job that looks up VAT ids, have what the operators' page says", () => {
  const [, devices = ""] = /(100 at once, 4 an hour) for all such browsers/
    .exec(OPERATIONS) ?? [];
  assert(waysToSay(SIGN_IN_DEVICES).includes(devices));
  assert(OPERATIONS.includes("50 where the job asks"));
  assertEquals(LATER_VAT_LOOK_UPS.capacity, 50);
  assertEquals(LATER_VAT_LOOK_UPS.refillPerS * 3_600, 50);
});

Deno.test("checks of identity that are an account's second or later have half of all, as the operators' page says", () => {
  assert(OPERATIONS.includes("300 a day; 150 of them for accounts that try"));
  assertEquals(REPEATED_IDENTITY_CHECKS.capacity, 150);
  assertEquals(REPEATED_IDENTITY_CHECKS.refillPerS * 86_400, 150);
});

Deno.test("of what everybody shares half is for firsts, of which each network has as many as the operators' page says", () => {
  const { all_payments, new_browser_mails } = BUCKET_POLICIES;
  const { repeated_payments, repeated_new_browser_mails } = BUCKET_POLICIES;
  for (
    const [all, repeated] of [
      [all_payments, repeated_payments],
      [new_browser_mails, repeated_new_browser_mails],
      [ALL_CLIENT_FETCHES, REPEATED_CLIENT_FETCHES],
      [NEWCOMER_VAT_LOOK_UPS, REPEATED_VAT_LOOK_UPS],
      [ALL_IDENTITY_CHECKS, REPEATED_IDENTITY_CHECKS],
    ] as const
  ) {
    assertEquals(repeated.capacity * 2, all.capacity);
    assertEquals(repeated.refillPerS * 2, all.refillPerS);
  }
  const says: [policy: BucketPolicy, first: string, perS: number][] = [
    [FIRSTS.vat_look_up, "75 beyond the first 2 an hour", 1 / 3_600],
    [FIRSTS.new_browser_mail, "300 beyond the first 2 an hour", 1 / 3_600],
    [FIRSTS.client_fetch, "half of that beyond the first 5 a minute", 1 / 60],
    [FIRSTS.payment, "half of that beyond the first 10 a minute", 1 / 60],
  ];
  for (const [policy, first, perS] of says) {
    assert(OPERATIONS.includes(`${first} of each /48 or IPv4 address`), first);
    assert(first.includes(`first ${policy.capacity} `), first);
    assertEquals(policy.refillPerS, policy.capacity * perS);
  }
  for (const policy of [FIRSTS.identity_check, FIRSTS.report]) {
    assertEquals(policy, { capacity: 1, refillPerS: 1 / 86_400 });
  }
});

/** What a policy may be said to be, by second, minute, hour and day. */
function waysToSay({ capacity, refillPerS }: BucketPolicy): string[] {
  const rates = [[refillPerS, "a second"], [refillPerS * 60, "a minute"], [
    refillPerS * 3_600,
    "an hour",
  ], [refillPerS * 86_400, "a day"]] as const;
  return rates.map(([rate, each]) => {
    const rounded = Math.round(rate * 1e6) / 1e6;
    const said = rounded === 1 ? "one" : rounded.toLocaleString("en");
    return `${capacity.toLocaleString("en")} at once, ${said} ${each}`;
  });
}
