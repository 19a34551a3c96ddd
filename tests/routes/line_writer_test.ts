import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  FLUSH_MS,
  lineWriter,
  WAITING_MAX_LENGTH,
  WRITE_AFTER_MS,
  WRITE_AT_LENGTH,
  type WriterTiming,
} from "../../routes/line_writer.ts";
import { ManualTimer } from "../support/timer.ts";

/** Time passes when the test says so. */
class ManualTiming implements WriterTiming {
  readonly waits: number[] = [];
  #run: (() => void) | null = null;

  later(run: () => void, ms: number): () => void {
    this.waits.push(ms);
    this.#run = run;
    return () => void (this.#run = null);
  }

  pass(): void {
    const run = this.#run;
    this.#run = null;
    run?.();
  }
}

/** A sink whose writes end when the test says so. */
class SlowSink {
  readonly written: string[] = [];
  #ends: (() => void)[] = [];

  readonly write = (bytes: Uint8Array): Promise<void> => {
    this.written.push(new TextDecoder().decode(bytes));
    return new Promise((end) => this.#ends.push(end));
  };

  end(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}

const nextTurn = () => new Promise<void>((done) => queueMicrotask(done));

Deno.test("lineWriter() writes lines together a little later", () => {
  const timing = new ManualTiming();
  const sink = new SlowSink();
  const writer = lineWriter(sink.write, timing);
  writer.write("one");
  writer.write("two");
  assertEquals(timing.waits, [WRITE_AFTER_MS]);
  assertEquals(sink.written, []);
  timing.pass();
  assertEquals(sink.written, ["one\ntwo\n"]);
});

Deno.test("lineWriter() writes at once what has become long", () => {
  const sink = new SlowSink();
  const writer = lineWriter(sink.write, new ManualTiming());
  const line = "x".repeat(WRITE_AT_LENGTH / 4);
  for (let i = 0; i < 4; i++) writer.write(line);
  assertEquals(sink.written.length, 1);
});

Deno.test("lineWriter() writes one text at a time", async () => {
  const timing = new ManualTiming();
  const sink = new SlowSink();
  const writer = lineWriter(sink.write, timing);
  writer.write("one");
  timing.pass();
  writer.write("two");
  timing.pass();
  assertEquals(sink.written, ["one\n"]);
  sink.end();
  await nextTurn();
  await nextTurn();
  timing.pass();
  assertEquals(sink.written, ["one\n", "two\n"]);
});

Deno.test("lineWriter() drops and counts what a slow sink can't take", async () => {
  const timing = new ManualTiming();
  const sink = new SlowSink();
  const writer = lineWriter(sink.write, timing);
  writer.write("first");
  timing.pass();
  const line = "x".repeat(WAITING_MAX_LENGTH / 2);
  for (let i = 0; i < 5; i++) writer.write(line);
  const flushed = writer.flush();
  sink.end();
  while (sink.written.length < 2) await nextTurn();
  sink.end();
  await flushed;
  const second = sink.written[1] ?? "";
  assert(second.length < 2 * WAITING_MAX_LENGTH);
  assertStringIncludes(second, '"event":"log_dropped","lines":4');
});

Deno.test("flush() writes everything and leaves no timer", async () => {
  const written: string[] = [];
  const writer = lineWriter((bytes) => {
    written.push(new TextDecoder().decode(bytes));
    return Promise.resolve();
  });
  writer.write("one");
  await writer.flush();
  assertEquals(written, ["one\n"]);
});

Deno.test("lineWriter() goes on when the sink fails", async () => {
  const written: string[] = [];
  let broken = true;
  const writer = lineWriter((bytes) => {
    if (broken) return Promise.reject(new Error("broken pipe"));
    written.push(new TextDecoder().decode(bytes));
    return Promise.resolve();
  });
  writer.write("lost");
  await writer.flush();
  broken = false;
  writer.write("kept");
  await writer.flush();
  assertEquals(written, ["kept\n"]);
});

Deno.test("lineWriter() flushes for a while only where nobody reads", async () => {
  const timer = new ManualTimer();
  const sink = new SlowSink();
  const writer = lineWriter(sink.write, { later: timer.start });
  writer.write("one");
  const flushed = writer.flush();
  writer.write("two");
  timer.fire(FLUSH_MS);
  await flushed;
  assertEquals(sink.written, ["one\n"], "the first is still being written");
  sink.end();
});
