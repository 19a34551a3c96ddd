/**
 * Holds what is said of mails to what is sent: each kind of the table has a
 * sender, the privacy notice and the settings name them all, and no page or
 * document promises another.
 */
import { assert, assertEquals } from "@std/assert";
import {
  MAIL_CHOICES,
  type MailBound,
  type MailKind,
  type MailRule,
  MAILS,
  MUTABLE_MAILS,
} from "../domain/mail/mail_kinds.ts";
import type { MailContent } from "../domain/mail/mail_content.ts";
import { renderMail } from "../domain/mail/render_mail.ts";
import { erasureAgainMail } from "../domain/privacy/erasure_mails.ts";
import { mailSamples } from "../routes/site/dev_mail_samples.ts";
import { accountMembers } from "../routes/shapes/account_body.ts";
import { ownModules, ROOT } from "../tools/own_modules.ts";
import { TEST_SETTINGS } from "./support/auction_world.ts";
import { tablesOf } from "./support/doc_tables.ts";
import { wordsOf } from "./support/mail_words.ts";
import { operationsOf } from "./support/every_route.ts";
import { runService } from "./support/running_service.ts";

const KINDS = Object.keys(MAILS) as MailKind[];
const RULES = Object.entries(MAILS) as [MailKind, MailRule][];

const read = (path: string) => Deno.readTextFile(`${ROOT}${path}`);

/** The modules of the domain, without the table itself. */
const DOMAIN = await Promise.all(
  (await ownModules("domain/"))
    .filter((path) => !path.includes("/domain/mail/"))
    .map(read),
);

/** The functions that say what a mail says, each with its source. */
const MAKERS = DOMAIN.flatMap((source) =>
  source.split(/^(?=export )/m).flatMap((part) => {
    const name = /^export function (\w+)\([^]*?\): MailContent</.exec(part)
      ?.[1];
    // What stands between two exports belongs to the first.
    return name === undefined ? [] : [{ name, part }];
  })
);

/** What puts a mail into the outbox, or has it put there. */
const QUEUES = /\b(?:queueMail|queueOwnerMail|queueSecurityMail|queueLost)\(/;

function isSent(maker: string): boolean {
  const call = new RegExp(`(?<!function )\\b${maker}\\b`);
  return DOMAIN.some((source) =>
    QUEUES.test(source) &&
    call.test(source.replaceAll(/^import [^;]*;/gm, ""))
  );
}

/** Kinds that stand in a verb as the decision that it makes. */
function isDecided(kind: MailKind): boolean {
  return DOMAIN.some((source) =>
    source.includes("decideAboutAccount(") &&
    source.includes(`event: "${kind}"`)
  );
}

Deno.test("every mail of the table has a sender, and every mail that is sent is in the table", () => {
  assert(MAKERS.length >= 15, `${MAKERS.length} makers`);
  const made = new Set<string>();
  for (const { name, part } of MAKERS) {
    const kinds = [...part.matchAll(/\bkind: "(\w+)"/g)].map(([, kind]) =>
      kind
    );
    if (name === "decisionMail") continue;
    assert(isSent(name), `${name}() is sent by nothing`);
    assert(kinds.length > 0, `${name}() makes no kind of mail`);
    kinds.forEach((kind) => made.add(kind ?? ""));
  }
  for (const kind of KINDS.filter(isDecided)) made.add(kind);
  assertEquals([...made].sort(), KINDS.toSorted());
});

/** The modules that have a mail of the kind made. */
function sendersOf(kind: MailKind): string[] {
  const makers = MAKERS.filter(({ part }) => part.includes(`kind: "${kind}"`));
  const calls = makers.map(({ name }) =>
    new RegExp(`(?<!function )\\b${name}\\b`)
  );
  return DOMAIN.map((source) => source.replaceAll(/^import [^;]*;/gm, ""))
    .filter((source) => calls.some((call) => call.test(source)));
}

/** The module of `domain/` that counts mails of a bound, and its words for it. */
const BOUNDS: Readonly<Record<MailBound, { by: string; counts: string }>> = {
  code: { by: "sign_in/admit_mail.ts", counts: "admitMail(" },
  security: {
    by: "accounts/security_mails.ts",
    counts: "count > SECURITY_MAILS_A_DAY",
  },
  request: { by: "privacy/data_requests.ts", counts: "refuseBeyondADay(" },
  bid: { by: "bidding/place_bid.ts", counts: "liveBid === null" },
  payment: { by: "invoices/refund_invoice.ts", counts: "mail_refund_" },
  decision: {
    by: "accounts/decide_about_account.ts",
    counts: "by, reason",
  },
  callback: { by: "callbacks/deliver_callback.ts", counts: "off: why.off" },
  card: { by: "cards/warn_of_expiry.ts", counts: "warnedDays" },
  operators: { by: "alerts/send_alerts.ts", counts: "tx.alerts.find(name)" },
};

/** Queues that count: all kinds that pass one are said to, and no other. */
const COUNTED: readonly [MailBound, RegExp][] = [
  ["code", /\badmitMail\(/],
  ["security", /\bqueueSecurityMail\(/],
];

Deno.test("every kind of mail names what bounds it, which is there and counts", async () => {
  const used = new Set(RULES.map(([, { bound }]) => bound));
  assertEquals([...used].sort(), Object.keys(BOUNDS).toSorted());
  for (const [bound, { by, counts }] of Object.entries(BOUNDS)) {
    const source = await read(`domain/${by}`);
    assert(source.includes(counts), `${bound}: ${by} counts nothing`);
  }
  for (const [bound, queue] of COUNTED) {
    const passing = KINDS.filter((kind) =>
      sendersOf(kind).some((source) => queue.test(source))
    );
    const said = RULES.filter(([, rule]) => rule.bound === bound)
      .map(([kind]) => kind);
    assertEquals(passing, said, bound);
  }
  const decided = RULES.filter(([, { bound }]) => bound === "decision")
    .map(([kind]) => kind);
  for (const kind of KINDS.filter(isDecided)) assert(decided.includes(kind));
});

Deno.test("the privacy notice lists the mails that there are, and which can be switched off", async () => {
  const privacy = await read("docs/privacy.md");
  const [, certain = ""] =
    /### Mails that always come\n([^#]*)/.exec(privacy) ?? [];
  assertEquals(
    [...certain.matchAll(/^- (.+)$/gm)].map(([, when]) => when),
    RULES.filter(([, { choice }]) => choice === null).map(([, { when }]) =>
      when
    ),
  );
  const [table] = tablesOf(privacy).filter(({ section, head }) =>
    section === "Mail" && head[0] === "When"
  );
  assertEquals(
    table?.rows,
    RULES.flatMap(([, { when, choice }]) =>
      choice === null ? [] : [[when, `“${MAIL_CHOICES[choice]}”`]]
    ),
  );
});

Deno.test("each choice of mails switches off a kind, and agents name as many", () => {
  const used = new Set(
    RULES.flatMap(([, { choice }]) => choice === null ? [] : [choice]),
  );
  assertEquals([...used].sort(), MUTABLE_MAILS.toSorted());
  const named = Object.keys(accountMembers.contact_preferences.shape);
  assertEquals(named.length, MUTABLE_MAILS.length);
});

/** What readers are told, by paragraph, row or sentence. */
async function said(): Promise<string[]> {
  const documents = [
    "affiliate",
    "auth",
    "contract",
    "developers",
    "operations",
    "terms",
    "versioning",
  ];
  const texts = await Promise.all(
    documents.map((name) => read(`docs/${name}.md`)),
  );
  const pages = await Promise.all(
    [...await ownModules("routes/"), "domain/oauth/scope_texts.ts"]
      .filter((path) => /\.tsx$|scope_texts/.test(path) && !/\/dev_/.test(path))
      .map(read),
  );
  const joined = pages.map((source) =>
    source.replaceAll(/\/\*\*.*?\*\/|^import [^;]*;|\/\/.*$/gms, "")
      .replaceAll(/"\s*\+\s*"/g, "")
  );
  return [
    ...texts.flatMap(underHeadings),
    ...joined.flatMap((text) => text.split(/;|<\/p>|<\/li>|",\n/)),
  ].map((each) => each.replaceAll(/\s+/g, " "));
}

/** Each row and sentence of a document, behind its heading and what was before. */
function underHeadings(text: string): string[] {
  let heading = "";
  return text.split(/\n\n|\n(?=[|-])/).flatMap((part) => {
    heading = /^#+ (.*)/.exec(part.trim())?.[1] ?? heading;
    const isRow = part.startsWith("|");
    const sentences = isRow ? [part] : part.split(/(?<=[.:;?])\s/);
    return sentences.map((each, at) =>
      `${heading}: ${sentences[at - 1] ?? ""} ${each}`
    );
  });
}

/** Words by which somebody is promised a mail. */
const PROMISE =
  /\b(?:is|are|be|get|gets) mailed\b|\bmailed (?:code|the)\b|\bby (?:e-)?mail\b|\b(?:we|and|then) mails? (?:you|the owner)\b|\bmails (?:about|the owner)\b|\b(?:sent|send) (?:a|you a) (?:code|mail)\b/i;

/** What a promise may be about: the kinds that keep it. */
const KEPT_BY: readonly (readonly [RegExp, ...MailKind[]])[] = [
  [/\bcodes?\b/i, "sign_in"],
  [/passkey/i, "passkey_added", "passkey_removed"],
  [/refresh token|reuse/i, "token_reused"],
  [/address that took nothing|webhook/i, "webhook_off"],
  [/creative|\bads?\b/i, "creative_approved", "creative_rejected"],
  [/withdrawn approval|withdraw_approval/i, "approval_withdrawn"],
  [/\bbids?\b/i, "bid_stands", "bid_won", "bid_lost", "bid_void"],
  [/eras/i, "erasure_asked", "erasure_confirmed"],
  [/cop(?:y|ies)\b|\bdata\b/i, "export_ready"],
  [
    /\boperators are mailed\b|\bOPERATOR_EMAILS\b/i,
    "operator_alert",
    "operator_daily",
  ],
  [/dispute|bank/i, "dispute_opened", "dispute_lost", "dispute_over"],
  [/Spotlight is removed|its advertiser is/i, "spotlight_removed"],
  [/suspen/i, "suspended", "suspension_lifted"],
  [/lift_block|lift_refusal/i, "block_lifted", "refusal_lifted"],
  [/_name\b|compan/i, "rename_approved", "rename_refused"],
  [/_vat\b|VAT id/i, "vat_approved", "vat_declined", "vat_released"],
  [/card/i, "card_expiry", "bid_payment_failed"],
  [/money|refund/i, "money_refunded"],
  [/partner/i, "partner_approved", "partner_refused", "partner_ended"],
  [/agent/i, "agent_connected"],
  [/act asks once|account's history/i, "suspended"],
];

Deno.test("no page and no document promises a mail that nothing sends", async () => {
  const promises = (await said()).filter((each) => PROMISE.test(each));
  assert(promises.length >= 15, `${promises.length} promises`);
  const [planned = ""] = /^## Planned\n[^]*/m.exec(
    await read("docs/contract.md"),
  ) ?? [];
  for (const promise of promises) {
    // Promised to nobody yet, as the contract says itself.
    if (planned.replaceAll(/\s+/g, " ").includes(promise)) continue;
    const kept = KEPT_BY.filter(([about]) => about.test(promise))
      .flatMap(([, ...kinds]) => kinds);
    assert(kept.length > 0, `nothing sends: ${promise}`);
    for (const kind of kept) assert(kind in MAILS, kind);
  }
});

Deno.test("no mail says a word twice in a row", () => {
  const again = erasureAgainMail(
    { to: "ada@example.com", url: `${TEST_SETTINGS.baseUrl}/` },
    { eraseAtMs: Date.UTC(2026, 10, 29, 10) },
  );
  const samples: MailContent[] = Object.values(mailSamples(TEST_SETTINGS));
  for (const content of [...samples, again]) {
    const said = wordsOf(renderMail(content));
    const twice = /\b([A-Za-z]+) \1\b/.exec(said)?.[0];
    assertEquals(twice, undefined, content.kind);
  }
});

Deno.test("no mail but that of a loss, which says that another may have won, speaks of other bidders", () => {
  const { bid_lost: _lost, ...samples } = mailSamples(TEST_SETTINGS);
  for (const { kind, to, subject, parts } of Object.values(samples)) {
    const said = wordsOf(renderMail({ kind, to, subject, parts }));
    const told = /next in line|(?:next|[oa]ther) bid|bidder/i.exec(said)?.[0];
    assertEquals(told, undefined, kind);
  }
});

Deno.test("no mail about a block that may be lifted promises that bids which stand are void", () => {
  const samples = mailSamples(TEST_SETTINGS);
  for (
    const content of [
      samples.suspended,
      samples.dispute_opened,
      samples.dispute_lost,
      samples.vat_declined,
      samples.vat_released,
    ]
  ) {
    const said = wordsOf(renderMail(content));
    assert(/A bid whose day settles (?:meanwhile|before)/.test(said), said);
    assert(!/bids (?:become|are) void|of yours that stand/.test(said), said);
  }
  for (
    const content of [
      samples.suspension_lifted,
      samples.block_lifted,
      samples.vat_approved,
      samples.dispute_over,
    ]
  ) {
    const said = wordsOf(renderMail(content));
    assert(/bids (?:of yours )?that stand .*charged/.test(said), said);
  }
});

Deno.test("every address in a mail is one that the website answers", async () => {
  await using running = await runService();
  const paths = operationsOf(running)
    .filter(({ host, method }) => host === "site" && method === "GET")
    .map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`));
  const { baseUrl } = TEST_SETTINGS;
  for (const { kind, parts } of Object.values(mailSamples(TEST_SETTINGS))) {
    for (const part of parts) {
      if (typeof part === "string" || !("url" in part)) continue;
      const { pathname } = new URL(part.url);
      assert(part.url.startsWith(baseUrl));
      assert(paths.some((path) => path.test(pathname)), `${kind}: ${pathname}`);
    }
  }
});
