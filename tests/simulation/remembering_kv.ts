import { dump } from "../../kv/dump.ts";
import type { KvAtomic } from "../../kv/kv_like.ts";
import { TEST_KEYS } from "../support/keys.ts";
import { MemoryKv } from "../support/memory_kv.ts";

/** What a store was at one of its commits. */
interface Memory {
  atMs: number;
  rows: Deno.KvEntry<unknown>[];
}

/** A store in memory that can be brought back as it was after any commit. */
export class RememberingKv extends MemoryKv {
  /** Commits until it remembers itself; null: it need not. */
  #left: number | null = null;
  #memory: Memory | null = null;
  readonly #now: () => number;

  /** @param now tells the time of a life */
  constructor(now: () => number) {
    super();
    this.#now = now;
  }

  /** Whether there is a backup. */
  get isRemembered(): boolean {
    return this.#memory !== null;
  }

  /** Remembers itself, once, after so many commits more. */
  rememberAfter(commits: number): void {
    this.#left = commits;
  }

  override atomic(): KvAtomic {
    const atomic = super.atomic();
    const commit = atomic.commit.bind(atomic);
    atomic.commit = async () => {
      const result = await commit();
      if (result.ok && this.#left !== null && this.#left-- === 0) {
        this.#left = null;
        this.#memory = {
          atMs: this.#now(),
          rows: await Array.fromAsync(this.list({ prefix: [] })),
        };
      }
      return result;
    };
    return atomic;
  }

  /** The backup, as it was made then; and when that was. */
  async backup(): Promise<{ atMs: number; bytes: Uint8Array<ArrayBuffer> }> {
    if (this.#memory === null) throw new Error("Nothing is remembered yet");
    const { atMs, rows } = this.#memory;
    const then = new MemoryKv();
    for (const { key, value } of rows) {
      const atomic = then.atomic();
      atomic.set(key, value);
      await atomic.commit();
    }
    const clock = { now: () => atMs };
    const chunks = dump(then, { clock, keys: TEST_KEYS });
    const bytes = new Uint8Array(await new Response(chunks).arrayBuffer());
    return { atMs, bytes };
  }
}
