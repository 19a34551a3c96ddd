/**
 * Every act of the desk, done with a keyboard and no pointer: the acts are those
 * whose lines of the audit are held, which are the desk's routes.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { nameOf } from "../../domain/audit/operator_act.ts";
import type { Services, Store } from "../../domain/ports.ts";
import {
  ACCOUNT,
  DESK_ACTS,
  type Ordered,
} from "../routes/site/operator/acts.ts";
import { prepare } from "../routes/site/operator/acts_world.ts";
import { openBrowserWorld } from "../support/chromium.ts";
import { RunningClock } from "../support/clock.ts";
import { OPERATOR, signInAtDesk } from "../support/desk_keys.ts";
import { tabTo } from "../support/keyboard.ts";
import { putOnHold } from "../support/restored_world.ts";
import {
  startTestProcessor,
  type TestProcessor,
} from "../support/test_processor.ts";

const RELEASE = "store.release";

/** Pages of one thing, whose forms are under their own address. */
const OF_ONE = ["accounts", "days", "reports", "review"];

/** The page that a form stands on, by where it is sent. */
function pageOf(path: string): string {
  const parts = path.split("/");
  return parts.slice(0, OF_ONE.includes(parts[2] ?? "") ? 4 : 3).join("/");
}

/** What the desk's pages offer besides: money to give back, a real dispute. */
async function prepareFurther(
  { store, clock }: Services,
  { stripe, simulator }: TestProcessor,
): Promise<void> {
  const paid = await stripe.paymentIntents.create({
    amount: 12_100,
    currency: "eur",
    payment_method: "pm_card_visa",
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: "never" },
  });
  const { id } = simulator.control.disputes.open(paid.id);
  await store.transact(async (tx) => {
    const invoice = await tx.invoices.find("in_SPOT1");
    const account = await tx.accounts.find("acc_suspend");
    assert(invoice !== null && account !== null);
    tx.invoices.save({ ...invoice, money: "sold", paymentId: paid.id });
    tx.accounts.save({ ...account, blockingDisputes: [id] });
    tx.disputes.save({
      id,
      state: "open",
      amountCents: 12_100,
      paymentId: paid.id,
      accountId: ACCOUNT,
      invoiceId: invoice.id,
      reason: "fraudulent",
      openedAtMs: clock.now(),
      evidenceDueAtMs: null,
      movementIds: [],
      moves: 1,
      heldCents: 12_100,
      lostCents: 0,
      dueCents: 0,
    });
  });
}

/** Leaves the navigation behind by the link that is there for that. */
async function skipToContent(page: Page): Promise<void> {
  await tabTo(page, page.locator(".skip"));
  await page.keyboard.press("Enter");
}

/** Fills in what of an act's fields is typed or chosen. */
async function fillIn(
  page: Page,
  form: Locator,
  body: NonNullable<Ordered["body"]>,
): Promise<void> {
  for (const [name, value] of Object.entries(body)) {
    const field = form.locator(`[name="${name}"]:not([type=hidden])`);
    if (value === "" || await field.count() === 0) continue;
    await tabTo(page, field);
    await typeOrChoose(page, field, String(value));
    assertEquals(await field.inputValue(), value, name);
  }
}

async function typeOrChoose(
  page: Page,
  field: Locator,
  value: string,
): Promise<void> {
  const option = field.locator(`option[value="${value}"]`);
  const isChoice = await option.count() > 0;
  if (!isChoice) await page.keyboard.press("Control+A");
  await page.keyboard.type(isChoice ? await option.innerText() : value);
}

/** Takes note of everything that a release wants noted. */
async function tickAll(page: Page, form: Locator): Promise<void> {
  for (const box of await form.locator("[name=acknowledge]").all()) {
    await tabTo(page, box);
    await page.keyboard.press("Space");
  }
}

/** Goes to the button of a form and presses it, until the answer is there. */
async function send(page: Page, form: Locator): Promise<void> {
  await tabTo(page, form.getByRole("button"));
  await Promise.all([
    page.waitForEvent("domcontentloaded"),
    page.keyboard.press("Enter"),
  ]);
}

/** Does one act from the page that it stands on. */
async function doAct(
  page: Page,
  { path, body = {}, isAsked, act }: Ordered,
): Promise<void> {
  await page.goto(pageOf(path));
  await skipToContent(page);
  const form = page.locator(`form[action="${path}"]`);
  const folded = page.locator("details:not([open])", { has: form });
  if (await folded.count() > 0) {
    await tabTo(page, folded.locator("summary"));
    await page.keyboard.press("Space");
  }
  await fillIn(page, form, body);
  await tickAll(page, form);
  await send(page, form);
  const asking = page.locator("form", {
    has: page.locator("[name=confirmed]"),
  });
  // A form of a page that has a token of its own is not asked about again.
  const isMeant = !isAsked || act === "key.make";
  assertEquals(await asking.count(), isMeant ? 0 : 1, "asks once");
  if (!isMeant) await send(page, asking);
}

/** Every act; a store that is on hold takes no other than its release. */
function acts(): [string, Ordered][] {
  const all = Object.entries(DESK_ACTS);
  return [
    ...all.filter(([, { act }]) => act !== RELEASE),
    ...all.filter(([, { act }]) => act === RELEASE),
  ];
}

async function newestLine(store: Store): Promise<unknown[]> {
  const any = { subject: null, person: null, fromMs: 0, untilMs: 4e12 };
  const [line] = await store.listOperatorActs(any, { limit: 1, before: null });
  return [line?.act, line?.subject, line?.reason, line && nameOf(line.by)];
}

Deno.test("an operator does every act of the desk with a keyboard alone", async (t) => {
  const clock = new RunningClock("2026-11-20T13:12:00.000Z");
  const processor = await startTestProcessor(clock);
  await using _stopped = {
    [Symbol.asyncDispose]: () => processor.simulator.stop(),
  };
  await using world = await openBrowserWorld({ env: processor.env, clock });
  const { services } = world.running.service.core;
  await prepare(services);
  await prepareFurther(services, processor);
  const { page, complaints } = await world.open();
  await signInAtDesk(world, page);
  for (const [name, ordered] of acts()) {
    await t.step(name, async () => {
      if (ordered.act === RELEASE) await putOnHold(services);
      await doAct(page, ordered);
      const { act, subject, reason = null } = ordered;
      const line = await newestLine(services.store);
      assertEquals(line, [act, subject, reason, OPERATOR]);
    });
  }
  assertEquals(complaints, []);
});
