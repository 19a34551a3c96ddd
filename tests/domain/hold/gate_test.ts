import { assert, assertEquals, assertRejects } from "@std/assert";
import { StoreOnHold } from "../../../domain/failure.ts";
import { gatedPorts } from "../../../domain/hold/gate.ts";
import type { Hold } from "../../../domain/hold/hold.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import { NO_PROCESSOR, OUTSIDE } from "../../support/outside.ts";

const HOLD: Hold = {
  kind: "restored",
  restoredAtMs: 0,
  backupAtMs: 0,
  isWhole: true,
  releasedAtMs: null,
  acknowledged: [],
};

/** What only looks, by the name of the call. */
const READS = /^(find|list|retrieve)/;

/** Ports that note what reaches them, behind a gate. */
function watched(hold: () => Hold | null) {
  const reached: string[] = [];
  const noting = (name: string) => () => {
    reached.push(name);
    return Promise.resolve({ ok: true, value: {} });
  };
  const names = Object.keys(NO_PROCESSOR) as (keyof Processor)[];
  const processor = Object.fromEntries(
    names.map((name) => [name, noting(name)]),
  ) as unknown as Processor;
  const mailer = {
    keepsText: false,
    send: (mail: { id: string }) => {
      reached.push(`mail ${mail.id}`);
      return Promise.resolve();
    },
  };
  const store = { currentHold: () => Promise.resolve(hold()) };
  const ports = gatedPorts(store, { ...OUTSIDE, processor, mailer });
  return { ports, names, reached };
}

Deno.test("while a store is on hold every call that acts at the processor is refused, and none that reads", async () => {
  const { ports, names, reached } = watched(() => HOLD);
  for (const name of names) {
    const call = ports.processor[name] as () => Promise<unknown>;
    if (READS.test(name)) await call();
    else await assertRejects(() => call(), StoreOnHold);
  }
  assertEquals(reached, names.filter((name) => READS.test(name)));
  assert(reached.length >= 10 && names.length - reached.length >= 15);
});

Deno.test("the gate lets every call pass that the processor has once there is no hold", async () => {
  let hold: Hold | null = HOLD;
  const { ports, names, reached } = watched(() => hold);
  await assertRejects(() => ports.processor.payInvoice("in", "pm", "k"));
  hold = null;
  for (const name of names) {
    await (ports.processor[name] as () => Promise<unknown>)();
  }
  assertEquals(reached, names);
});

Deno.test("while a store is on hold no mail leaves but a code to sign in or to change an address with", async () => {
  const { ports, reached } = watched(() => HOLD);
  const mail = {
    id: "other",
    to: "a@x.example",
    subject: "",
    text: "",
  };
  await assertRejects(() => ports.mailer.send(mail), StoreOnHold);
  const others = { ...mail, kind: "email_changed" } as const;
  await assertRejects(() => ports.mailer.send(others), StoreOnHold);
  await ports.mailer.send({ ...mail, id: "code", kind: "sign_in" });
  await ports.mailer.send({ ...mail, id: "codes", kind: "email_change" });
  assertEquals(reached, ["mail code", "mail codes"]);
});

Deno.test("while a store is on hold nothing is posted to other servers", async () => {
  const { ports } = watched(() => HOLD);
  const policy = { maxBytes: 1, timeoutMs: 1, accept: "" };
  await assertRejects(
    () => ports.fetcher.postJson("https://x.example", {}, policy),
    StoreOnHold,
  );
});
