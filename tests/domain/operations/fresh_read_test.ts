import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { freshRead } from "../../../domain/operations/fresh_read.ts";

/** A store of one number, whose reads a test ends. */
class SlowStore {
  value = 0;
  reads = 0;
  #ends: (() => void)[] = [];

  async read(): Promise<number> {
    this.reads += 1;
    // What a read sees is settled when it begins.
    const seen = this.value;
    await new Promise<void>((resolve) => this.#ends.push(resolve));
    return seen;
  }

  /** Ends the reads that have begun. */
  end(): void {
    this.#ends.splice(0).forEach((resolve) => resolve());
  }
}

/** Lets everything that waits for no read go on. */
async function turn(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve();
}

Deno.test("freshRead() shares the next read among all who come while one is under way", async () => {
  const store = new SlowStore();
  const read = freshRead(() => store.read());
  const first = read();
  const others = Array.from({ length: 50 }, read);
  store.end();
  assertEquals(await first, 0);
  await turn();
  store.end();
  assertEquals(await Promise.all(others), others.map(() => 0));
  assertEquals(store.reads, 2);
});

Deno.test("freshRead() goes on after a read that fails, which fails only those who shared it", async () => {
  let reads = 0;
  const read = freshRead(() => {
    reads += 1;
    return reads === 2
      ? Promise.reject(new Error("The store is gone"))
      : Promise.resolve(reads);
  });
  const answers = [read(), read(), read()];
  assertEquals(await answers[0], 1);
  for (const answer of answers.slice(1)) {
    await assertRejects(() => answer ?? Promise.resolve(), Error, "gone");
  }
  assertEquals(await read(), 3);
});

Deno.test("freshRead() never answers what was read before it was asked", async () => {
  const steps = fc.array(fc.constantFrom("write", "ask", "end", "turn"), {
    maxLength: 60,
  });
  await fc.assert(fc.asyncProperty(steps, async (taken) => {
    const store = new SlowStore();
    const read = freshRead(() => store.read());
    const asked: { atLeast: number; answer: Promise<number> }[] = [];
    for (const step of taken) {
      if (step === "write") store.value += 1;
      if (step === "ask") asked.push({ atLeast: store.value, answer: read() });
      if (step === "end") store.end();
      if (step === "turn") await turn();
    }
    const all = Promise.all(asked.map(async ({ atLeast, answer }) => {
      assertEquals(await answer >= atLeast, true);
    }));
    // Two ends are enough for the read under way and the one after it.
    for (let i = 0; i < 3; i++) {
      store.end();
      await turn();
    }
    await all;
  }));
});
