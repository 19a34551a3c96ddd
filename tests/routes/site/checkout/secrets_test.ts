import { assert, assertEquals } from "@std/assert";
import { dump } from "../../../../kv/dump.ts";
import {
  newSession,
  pay,
  paymentOf,
  report,
} from "../../../support/checkout_calls.ts";
import {
  CHARGE,
  DAY,
  openCheckoutWorld,
} from "../../../support/checkout_world.ts";

/** Faults after which a token has been in most hands. */
const FAULTS = [
  null,
  "decline",
  "requires_action",
  "timeout_after_effect",
  "error_after_effect",
  "reset_before_effect",
  "rate_limit",
] as const;

Deno.test("the token of a buyer is in no answer, no log and no row that was ever written", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const impatient = world.asking(world.impatient);
  const { testStore, simulator, log } = world.world;
  const ada = await world.buyer("ada");
  const tokens: string[] = [];
  const told: string[] = [];
  const hear = async (answer: Response) => {
    told.push(JSON.stringify([...answer.headers]), await answer.text());
  };
  for (const [nth, kind] of FAULTS.entries()) {
    const session = await newSession(ask, ada, DAY, `create-${nth}`);
    const token = await world.token();
    tokens.push(token);
    if (kind !== null) simulator.control.addFault({ kind, ...CHARGE });
    await hear(await pay(impatient, ada, session, token));
    await hear(await pay(ask, ada, session, token));
    await hear(await pay(ask, ada, session, token, "another key"));
    await hear(await ask(`/checkout_sessions/${session.id}`, { as: ada }));
    await hear(await report(ask, ada, session));
    await hear(await misplaced(world.ask, ada, session.id, token));
  }
  const written = testStore.kv.commits.flatMap(({ writes }) => writes);
  const rows = await new Response(dump(testStore.realKv, { keys: null }))
    .text();
  const everything = [
    ...told,
    ...log.lines,
    rows,
    ...written.map((write) =>
      JSON.stringify(
        write,
        (_, value) => typeof value === "bigint" ? String(value) : value,
      )
    ),
  ].join("\n");
  assert(written.length > 50 && told.length > 50);
  for (const token of tokens) {
    assert(token.length > 10);
    assertEquals(everything.includes(token), false, "a token is told");
  }
});

/** A token in places where nobody expects it. */
async function misplaced(
  ask: Parameters<typeof pay>[0],
  as: Parameters<typeof pay>[1],
  id: string,
  token: string,
): Promise<Response> {
  const path = `/checkout_sessions/${id}/complete`;
  const bodies = [
    { ...paymentOf("spt_1"), [token]: token },
    paymentOf([token]),
    { payment_data: { handler_id: token } },
    { payment_data: token },
  ];
  const texts: string[] = [];
  for (const body of bodies) {
    texts.push(await (await ask(path, { as, key: "misplaced", body })).text());
  }
  return new Response(texts.join("\n"));
}
