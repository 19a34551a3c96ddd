import { commitTexts, keyText, rangeText } from "./encoded_key.ts";
import { Cut, type Faults, OutOfService, sleep } from "./faults.ts";
import { type Commit, readCommit, readReads, readWatched } from "./requests.ts";
import { entryOf, type Rows, versionstampOf } from "./rows.ts";
import type { Call, Outcome, Trace } from "./trace.ts";
import type { Watches } from "./watches.ts";
import { type Bytes, Message, Misuse } from "./wire.ts";

/** A call as its address and its head tell it. */
export interface Asked {
  rows: Rows;
  method: string;
  client: string;
}

/** Reads, commits and watches, with the delays and faults that are ordered. */
export class DataPath {
  readonly #faults: Faults;
  readonly #trace: Trace;
  readonly #watches: Watches;

  /** Puts each call down in the trace. */
  constructor(faults: Faults, trace: Trace, watches: Watches) {
    this.#faults = faults;
    this.#trace = trace;
    this.#watches = watches;
  }

  /**
   * Answers a call.
   *
   * @throws {Misuse | Cut | OutOfService}
   */
  async answer(asked: Asked, body: Bytes): Promise<Response> {
    const { method, client } = asked;
    const call = this.#trace.begin(client, method, body.length);
    try {
      const answer = await this.#dispatch(asked, call, body);
      // The outcome of a watch is open as long as it is.
      this.#trace.end(call, method === "watch" ? "open" : "ok");
      return answer;
    } catch (error) {
      const why = error instanceof Misuse ? error.message : undefined;
      this.#trace.end(call, outcomeOf(error), why);
      throw error;
    }
  }

  async #dispatch(asked: Asked, call: Call, body: Bytes): Promise<Response> {
    const { rows, method } = asked;
    switch (method) {
      case "snapshot_read":
        return await this.#read(rows, call, body);
      case "atomic_write":
        return await this.#commit(rows, call, readCommit(body));
      case "watch":
        return await this.#watch(rows, call, readWatched(body));
      default:
        throw new Misuse(`No method "${method}".`);
    }
  }

  async #read(rows: Rows, call: Call, body: Bytes): Promise<Response> {
    const ranges = readReads(body);
    call.keys = ranges.map(rangeText);
    const halfMs = this.#faults.timeOf(this.#faults.settings.readMs, call) / 2;
    await this.#faults.arrive(halfMs, call);
    const answer = new Message();
    for (const range of ranges) {
      const output = new Message();
      for (const row of rows.read(range)) {
        call.entries += 1;
        output.always(1, entryOf(row));
      }
      answer.always(1, output.finish());
    }
    await sleep(halfMs);
    return messageOf(answer.number(4, 1).number(8, 1).finish());
  }

  async #commit(rows: Rows, call: Call, commit: Commit): Promise<Response> {
    call.checks = commit.checks.length;
    call.mutations = commit.mutations.length;
    call.keys = commitTexts(commit);
    const halfMs = this.#faults.timeOf(this.#faults.settings.writeMs, call) / 2;
    await this.#faults.arrive(halfMs, call);
    if (this.#faults.happens("shareResetBefore", call)) {
      throw new Cut("reset_before");
    }
    const version = rows.commit(commit);
    await sleep(halfMs);
    if (version === null) {
      call.outcome = "check_failed";
      return messageOf(new Message().number(1, CHECK_FAILED).finish());
    }
    this.#watches.push(rows, commit.mutations.map(({ key }) => key));
    return this.#committed(call, version);
  }

  #committed(call: Call, version: bigint): Response {
    if (this.#faults.happens("shareResetAfter", call)) {
      throw new Cut("reset_after");
    }
    const answer = new Message().number(1, APPLIED)
      .bytes(2, versionstampOf(version)).finish();
    if (!this.#faults.happens("shareBrokenBody", call)) {
      return messageOf(answer);
    }
    call.outcome = "broken_body";
    return brokenOff(answer);
  }

  async #watch(rows: Rows, call: Call, keys: Bytes[]): Promise<Response> {
    call.keys = keys.map(keyText);
    if (this.#faults.settings.watch === "503") {
      throw new OutOfService("No watches.");
    }
    await this.#faults.arrive(0, call);
    const frames = ReadableStream.from(this.#watches.follow(rows, keys));
    const headers = { "content-type": "application/octet-stream" };
    return new Response(frames, { headers });
  }
}

/** The two statuses of a commit. */
const APPLIED = 1;
const CHECK_FAILED = 2;

function outcomeOf(error: unknown): Outcome {
  if (error instanceof Cut) return error.outcome;
  return error instanceof OutOfService ? "503" : "refused";
}

const PROTOBUF = { headers: { "content-type": "application/x-protobuf" } };

function messageOf(body: Bytes): Response {
  return new Response(body, PROTOBUF);
}

/** Says in its head that all is well, and lacks its second half. */
function brokenOff(body: Bytes): Response {
  return messageOf(body.slice(0, body.length >> 1));
}
