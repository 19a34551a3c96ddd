/**
 * Whoever sends a form that can't be taken is told by each field what is wrong
 * with it, is led there, and finds again what was typed: held against every form
 * of the website in which something is typed or chosen.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Partner } from "../../domain/partners/partner.ts";
import { PARTNER_TERMS_VERSION } from "../../domain/partners/limits.ts";
import type { Passkey } from "../../domain/passkeys/passkey.ts";
import type { Services } from "../../domain/ports.ts";
import { credentialsOf } from "../../domain/sessions/credentials.ts";
import { ACCOUNT, DESK_ACTS } from "../routes/site/operator/acts.ts";
import { COUNTER_SCRIPTS } from "../../routes/site/pages/script_routes.ts";
import { prepare } from "../routes/site/operator/acts_world.ts";
import { linksOf } from "../support/crawl.ts";
import { askFromAnywhere } from "../support/every_route.ts";
import {
  EMAILS,
  type LooksWorld,
  openLooksWorld,
  type Person,
} from "../support/looks/looks_world.ts";
import {
  ADVERTISER_LOOKS,
  OPERATOR_LOOKS,
  PUBLIC_LOOKS,
} from "../support/looks/pages.ts";
import {
  bodyOf,
  faultyIds,
  formsOf,
  type SentForm,
  type TypedField,
} from "../support/typed_forms.ts";

/** No text of ours may turn the direction of what follows it. */
const BAD = "Bad \u202Etext";

/** Forms that take any such text. */
const TAKES_ANY: readonly string[] = [
  // What can't be seen is left out of a name that only its owner reads.
  "/settings/passkeys/rename",
];

/**
 * Forms that stand on no page of this world. Nothing is typed into them but for
 * the release of a restored store, which the test of its page sends wrong.
 */
const ELSEWHERE: ReadonlySet<string> = new Set([
  "/settings/sessions/end",
  "/settings/privacy/erasure/keep",
  "/erasure/:token",
  "/agents/:grant/webhook/replay",
  "/onboarding/vat",
  "/bids/place",
  "/billing/default",
  "/operator/days/:day/open",
  "/operator/days/:day/settle",
  "/operator/accounts/:id/look_at_dispute",
  "/operator/hold",
  "/operator/hold/again",
  "/unsubscribe/:token",
]);

/** A form where it stands, as somebody sees it. */
interface Found {
  person: Person;
  page: string;
  form: SentForm;
}

/** Asks for pages and sends forms as the people of a world. */
class Browsers {
  #ask = askFromAnywhere();
  #cookies = new Map<Person, Map<string, string>>();

  constructor(readonly world: LooksWorld) {}

  /** A page; a redirect is followed once. */
  async get(person: Person, path: string): Promise<string> {
    const answer = await this.#send(person, path, {});
    const html = await answer.text();
    const next = answer.headers.get("location");
    return next?.startsWith("/") ? await this.get(person, next) : html;
  }

  post(person: Person, path: string, body: URLSearchParams): Promise<Response> {
    return this.#send(person, path, { method: "POST", body });
  }

  /** The clock moves on, so that no bucket runs dry. */
  async #send(
    person: Person,
    path: string,
    init: RequestInit,
  ): Promise<Response> {
    const { baseUrl, clock } = this.world;
    clock.advance(1_000);
    const cookies = this.#cookiesOf(person);
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const headers = { accept: "text/html", origin: baseUrl, cookie };
    const answer = await this.#ask(baseUrl + path, { ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";", 1)[0]?.split("=") ?? [];
      cookies.set(name, value);
    }
    return answer;
  }

  #cookiesOf(person: Person): Map<string, string> {
    const known = this.#cookies.get(person);
    if (known !== undefined) return known;
    const cookies = new Map(
      this.world.cookiesOf(person).map(({ name, value }) => [name, value]),
    );
    this.#cookies.set(person, cookies);
    return cookies;
  }
}

/** A page that the looks have not: it stands behind a form, or says something else. */
const FURTHER: readonly (readonly [person: Person, path: string])[] = [
  // Where a partner is paid is asked of one who was just approved.
  ["midway", "/partner"],
  ["visitor", "/sign-in/verify"],
  ["operator", "/operator/review/ad_taken"],
  ["midway", "/settings/email"],
];

/** Every page that is looked at, and those of what the desk acts on. */
function pages(): (readonly [person: Person, path: string])[] {
  const looks = [...PUBLIC_LOOKS, ...ADVERTISER_LOOKS, ...OPERATOR_LOOKS];
  const desk = Object.values(DESK_ACTS).flatMap(({ path }) =>
    [3, 4].map((depth) =>
      ["operator", path.split("/", depth + 1).join("/")] as const
    )
  );
  const all = [
    ...looks.map(({ as, path }) => [as, path] as const),
    ...FURTHER,
    ...desk,
  ];
  return [...new Map(all.map((each) => [each.join(" "), each])).values()];
}

/** What further forms need: a passkey, a partner, and codes under way. */
async function prepareFurther(
  services: Services,
  browsers: Browsers,
): Promise<void> {
  const { store, clock } = services;
  await prepare(services);
  const idOf = async (email: string) =>
    (await store.accountEmails.find(email))?.accountId ?? "";
  const [midway, advertiser] = await Promise.all([
    idOf(EMAILS.midway),
    idOf(EMAILS.advertiser),
  ]);
  await store.transact(async (tx) => {
    tx.partners.save(newPartner(midway, clock.now()));
    const ad = await tx.creatives.find(ACCOUNT, "ad_approve");
    assert(ad !== null);
    tx.creatives.save({ ...ad, adId: "ad_taken", state: "approved" });
    const credentials = await credentialsOf(tx, advertiser);
    const passkeys = [passkeyOf(clock.now())];
    tx.credentials.save({ ...credentials, passkeys });
  });
  const email = "someone@new.example.com";
  for (
    const [person, path] of [
      ["visitor", "/sign-in"],
      ["midway", "/settings/email"],
    ] as const
  ) {
    const asked = new URLSearchParams({ email, next: "/account" });
    const answer = await browsers.post(person, path, asked);
    await answer.body?.cancel();
    assertEquals(answer.status, 303, path);
  }
}

function newPartner(accountId: string, nowMs: number): Partner {
  return {
    accountId,
    state: "approved",
    terms: { version: PARTNER_TERMS_VERSION, acceptedAtMs: nowMs },
    pitch: "A newsletter for makers",
    appliedAtMs: nowMs,
    decidedAtMs: nowMs,
    reason: "Welcome",
    links: 0,
    connectedAccount: null,
  };
}

function passkeyOf(createdAtMs: number): Passkey {
  return {
    id: "pk_1",
    credentialId: "AAAA",
    publicKey: "AAAA",
    counter: 0,
    transports: [],
    aaguid: "00000000-0000-0000-0000-000000000000",
    backupEligible: false,
    backedUp: false,
    name: "Phone",
    createdAtMs,
    lastUsedAtMs: null,
  };
}

/** The pattern of the route that a form is sent to. */
function routeOf({ running }: LooksWorld, action: string): string {
  const path = action.split("?", 1)[0] ?? "";
  const patterns = running.service.routes.site
    .filter(({ method }) => method === "POST").map(({ path }) => path)
    .filter((pattern) =>
      new RegExp(`^${pattern.replaceAll(/:\w+/g, "[^/]+")}$`).test(path)
    )
    // What is written out comes before what stands for anything.
    .toSorted((a, b) => a.split(":").length - b.split(":").length);
  const [pattern] = patterns;
  assert(pattern !== undefined, `no form is taken at ${action}`);
  return pattern;
}

/** The forms of all pages, by the routes that they are sent to. */
async function findForms(browsers: Browsers): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  const agents = linksOf(
    await browsers.get("advertiser", "/agents"),
    browsers.world.baseUrl,
    "/agents",
  ).filter(({ path }) => path.startsWith("/agents/"))
    .map(({ path }) => ["advertiser", path] as const);
  for (const [person, page] of [...pages(), ...agents]) {
    const html = await browsers.get(person, page);
    // Else a place is kept below the field for a line that never comes.
    const counts = COUNTER_SCRIPTS.every((path) => html.includes(path));
    assert(counts || !html.includes("data-counted="), `${page} counts nothing`);
    for (const form of formsOf(html)) {
      const route = routeOf(browsers.world, form.action);
      const known = found.get(route)?.form.fields.length ?? -1;
      if (form.fields.length > known) found.set(route, { person, page, form });
    }
  }
  return found;
}

/** Whether something is typed or chosen in a form, boxes that are ticked apart. */
function isTyped({ form }: Found): boolean {
  return form.fields.some(({ kind }) => kind !== "tick");
}

/** Sends a form and answers the page that says what is wrong with it. */
async function sendWrong(
  browsers: Browsers,
  { person, form }: Found,
  fill: (field: TypedField) => string | null,
): Promise<{ ids: string[]; back: SentForm }> {
  const body = bodyOf(form, fill);
  const answer = await browsers.post(person, form.action, body);
  const html = await answer.text();
  assertEquals(answer.status, 400, html);
  const back = formsOf(html).find(({ action, fields }) =>
    action === form.action && fields.length === form.fields.length
  );
  assert(back !== undefined, html);
  return { ids: faultyIds(html), back };
}

/** What is typed into a field, and what is chosen: the last of what may be. */
function badlyFilled(
  { kind, isRadio, options, value }: TypedField,
): string | null {
  if (kind === "text") return BAD;
  if (kind === "choice") return options.at(-1) ?? value;
  return isRadio ? value : options[0] ?? null;
}

function left({ kind, value }: TypedField): string | null {
  return kind === "tick" ? value : "";
}

Deno.test("every form that can't be taken says what is wrong by its fields, leads to them and keeps what was typed", async (t) => {
  await using world = await openLooksWorld();
  const browsers = new Browsers(world);
  await prepareFurther(world.running.service.core.services, browsers);
  const forms = await findForms(browsers);
  const typed = [...forms].filter(([, found]) => isTyped(found));
  assert(typed.length > 25, `only ${typed.length} forms`);
  for (const [route, found] of typed) {
    const { fields } = found.form;
    const required = fields.filter(({ isRequired, kind }) =>
      isRequired && kind !== "tick"
    );
    await t.step(`${route}: nothing typed`, async () => {
      if (required.length === 0) return;
      const { ids } = await sendWrong(browsers, found, left);
      for (const { id } of required) assert(ids.includes(id), `${id}: ${ids}`);
    });
    await t.step(`${route}: what can't be taken`, async () => {
      if (
        TAKES_ANY.includes(route) || !fields.some(({ kind }) => kind === "text")
      ) {
        return;
      }
      const { back } = await sendWrong(browsers, found, badlyFilled);
      const kept = (each: readonly TypedField[]) =>
        each.filter(({ isCode }) => !isCode)
          .map(({ name, value }) => [name, value]);
      const filled = fields.map((each) => ({
        ...each,
        value: badlyFilled(each),
      }));
      assertEquals(kept(back.fields), kept(filled));
    });
  }
  await t.step("no form of a page is left out", async () => {
    const unseen = await unseenForms(browsers, forms);
    assertEquals(new Set(unseen), ELSEWHERE);
  });
});

/** Routes that answer a form by a page and were found on none. */
async function unseenForms(
  browsers: Browsers,
  found: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const { running } = browsers.world;
  const unseen: string[] = [];
  for (const { method, path } of running.service.routes.site) {
    if (method !== "POST" || found.has(path)) continue;
    const asked = path.replaceAll(/:\w+/g, "x_1");
    const answer = await browsers.post(
      "operator",
      asked,
      new URLSearchParams(),
    );
    await answer.body?.cancel();
    const type = answer.headers.get("content-type") ?? "";
    const isPage = type.startsWith("text/html") || answer.status === 303;
    if (isPage) unseen.push(path);
  }
  return unseen;
}
