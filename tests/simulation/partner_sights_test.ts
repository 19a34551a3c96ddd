import { assert, assertEquals } from "@std/assert";
import { addMonths, monthOf, startOfMonthMs } from "../../domain/month.ts";
import type {
  PartnerBalance,
  Statement,
} from "../../domain/partners/partner_balance.ts";
import { readBalance } from "../../domain/partners/read_figures.ts";
import { beginLife, calmDown, liveDays } from "./live.ts";
import { brokenPromises } from "./verify.ts";
import type { Life } from "./world.ts";

/** In which somebody whom a partner brought has won. */
const DAYS = 6;

/** The first partner. */
function partnerOf({ people }: Life): string {
  return people[0]?.accountId ?? "";
}

async function change(
  life: Life,
  changed: (before: PartnerBalance) => Partial<PartnerBalance>,
): Promise<void> {
  const before = await readBalance(life.services, partnerOf(life));
  await life.services.store.transact((tx) =>
    tx.partnerBalances.save({ ...before, ...changed(before) })
  );
}

/** A statement of the month before, as if it were told. */
async function tell(
  life: Life,
  changed: Partial<Statement> = {},
): Promise<void> {
  const { services, world } = life;
  const month = addMonths(monthOf(world.clock.now()), -1);
  await services.store.transact((tx) =>
    tx.statements.save({
      partnerId: partnerOf(life),
      number: 1,
      fromMonth: month,
      throughMonth: month,
      amountCents: 1_000,
      takenBackCents: 0,
      invoices: 3,
      releasedAtMs: world.clock.now(),
      ...changed,
    })
  );
}

/** Ways of breaking a promise, each with what has to be said of it. */
const SABOTAGE: Readonly<
  Record<string, (life: Life) => Promise<unknown> | unknown>
> = {
  "its statements tell": (life) =>
    change(life, ({ payableCents }) => ({
      payableCents: payableCents + 1_000,
    })),
  "was paid more than it was told": (life) =>
    change(life, ({ payableCents, paidCents }) => ({
      payableCents: payableCents - 1_000,
      paidCents: paidCents + 1_000,
    })),
  "of 2 invoices": (life) => tell(life, { invoices: 2 }),
  "is no whole step": (life) => tell(life, { amountCents: 1_234 }),
  "too early": async (life) => {
    const { clock } = life.world;
    clock.set(startOfMonthMs(addMonths(monthOf(clock.now()), 1)));
    await tell(life);
  },
  "can tell a commission": async (life) => {
    await change(life, () => ({ restCents: 2_000 }));
    await tell(life);
  },
  "after its partnership had ended": ({ endings, people }) => {
    for (const { accountId: partnerId } of people) {
      endings.push({ partnerId, fromMs: 0 });
    }
  },
};

for (const [said, sabotage] of Object.entries(SABOTAGE)) {
  Deno.test(`a promise to partners that is broken is told: "${said}"`, async () => {
    await using life = await beginLife(1);
    await liveDays(life, DAYS);
    await calmDown(life);
    assertEquals(await brokenPromises(life), []);
    await sabotage(life);
    const broken = await brokenPromises(life);
    assert(broken.some((promise) => promise.includes(said)), broken.join("\n"));
  });
}
