/**
 * A service at one moment that never passes, with the demo's data and what else
 * pages can be about, and everyone who looks at them signed in: the same each
 * time, to the last id.
 *
 * @module
 */
import type { Cookie } from "playwright-core";
import { fillStore } from "../../../tools/demo/fill_store.ts";
import { openDemoAccess } from "../../../tools/demo/open_demo_access.ts";
import { chanceOf } from "../../../tools/demo/chance.ts";
import { TemporaryFailure } from "../../../domain/failure.ts";
import type { Services } from "../../../domain/ports.ts";
import { sha256Hex } from "../../../domain/sha256.ts";
import { doneAddress } from "../../../routes/site/pages/done_note.ts";
import type { AtMoment } from "../../../tools/demo/past_sales.ts";
import { ManualClock } from "../clock.ts";
import { askFromAnywhere, signInAt } from "../every_route.ts";
import { CountingIds } from "../ids.ts";
import { type RunningService, runService } from "../running_service.ts";
import { startTestProcessor } from "../test_processor.ts";
import { untilIndexed } from "../until_indexed.ts";
import { fillFurther, LONG_EMAIL } from "./further_data.ts";
import { fillPeople, MIDWAY_EMAIL, PARTNER_EMAIL } from "./further_people.ts";

/** Who looks at pages, by the words of the table. */
export const EMAILS = {
  /** Has just signed up. */
  newcomer: "newcomer@example.com",
  /** Has won days, has cards, ads and an agent. */
  advertiser: "mara@nordlicht-raeder.example.com",
  suspended: "luca@officina-lume.example.com",
  /** Whose card was refused. */
  refused: "sanne@grachtwarmte.example.com",
  /** Who disputed charges. */
  disputed: "petr@vltava-papir.example.com",
  /** Has a company and a card, and has written an ad. */
  midway: MIDWAY_EMAIL,
  /** Recommends Spotlight, and has earned by it. */
  partner: PARTNER_EMAIL,
  /** Whose every text is as long as may be. */
  long: LONG_EMAIL,
  operator: "operator@example.com",
} as const;

/** Who looks at a page. */
export type Person = "visitor" | keyof typeof EMAILS;

/** When all of it is: a Friday, in the middle of an auction. */
export const LOOKS_AT_MS = Date.parse("2026-11-20T13:12:00.000Z");
const DEMO = { days: 45, seed: 1 };

/** The world that pages are looked at in. */
export interface LooksWorld extends AsyncDisposable {
  baseUrl: string;
  running: RunningService;
  clock: ManualClock;
  /** The cookies of a person. */
  cookiesOf(person: Person): Cookie[];
  /** An address, with the seal under which `?done=…` is believed in their browser. */
  addressFor(person: Person, path: string): Promise<string>;
}

/** Opens it: some seconds of work, so once for many pages. */
export async function openLooksWorld(): Promise<LooksWorld> {
  const clock = new ManualClock(LOOKS_AT_MS);
  const chance = chanceOf("the processor of looks");
  let toldMs: number | null = null;
  const { simulator, env } = await startTestProcessor(
    { now: () => toldMs ?? clock.now() },
    () => chance.integer(0, 999_999) / 1_000_000,
  );
  const running = await runService({
    clock,
    ids: new CountingIds(),
    env: { ...env, OPERATOR_EMAILS: EMAILS.operator, TRUSTED_PROXY_HOPS: "1" },
  });
  const { services, records } = running.service.core;
  const at: AtMoment = async (atMs, run) => {
    toldMs = atMs;
    return await run().finally(() => toldMs = null);
  };
  await untilFilled(() => fillStore(services, DEMO, at));
  await openDemoAccess(services);
  const signedIn = new Map<Person, string>();
  const ask = askFromAnywhere();
  for (const [person, email] of Object.entries(EMAILS)) {
    signedIn.set(person as Person, await signInAt(running, ask, email));
  }
  await fillFurther(services, EMAILS.advertiser);
  await fillPeople(services);
  await records.refreshNow();
  await untilIndexed(running.service);
  const { baseUrl } = running.config.settings;
  return {
    baseUrl,
    running,
    clock,
    cookiesOf: (person) => cookiesOf(signedIn.get(person) ?? "", baseUrl),
    addressFor: (person, path) =>
      sealedFor(services, signedIn.get(person) ?? "", path),
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await simulator.stop();
    },
  };
}

/** A busy machine may keep the store from answering in time: it goes on then. */
async function untilFilled(fill: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1;; attempt++) {
    try {
      return void await fill();
    } catch (failure) {
      if (!(failure instanceof TemporaryFailure) || attempt === 5) {
        throw failure;
      }
    }
  }
}

async function sealedFor(
  services: Services,
  header: string,
  address: string,
): Promise<string> {
  const [path = "", done] = address.split("?done=");
  const [, id] = /svc_sess=([\w-]{43})/.exec(header) ?? [];
  if (done === undefined || id === undefined) return address;
  const session = await services.store.sessions.find(sha256Hex(id));
  if (session === null) throw new TypeError("The person is not signed in");
  return doneAddress({ services, signedIn: { session } }, { path, done });
}

function cookiesOf(header: string, baseUrl: string): Cookie[] {
  if (header === "") return [];
  const { hostname: domain } = new URL(baseUrl);
  return header.split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return {
      name: pair.slice(0, at),
      value: pair.slice(at + 1),
      domain,
      path: "/",
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: "Lax",
    };
  });
}
