import { startTimer } from "../adapters/time/system_time.ts";

/** Where the bytes of the log go, such as standard output. */
export type Sink = (bytes: Uint8Array) => Promise<void>;

/** Takes lines at once and writes them together a little later. */
export interface LineWriter {
  /** Adds a line, without its line feed. Never waits and never throws. */
  write(line: string): void;
  /**
   * Writes all that was added so far; for a graceful stop, which a reader that
   * stands still does not hold up for longer than {@linkcode FLUSH_MS}.
   */
  flush(): Promise<void>;
}

/** How a writer waits; tests give their own. */
export interface WriterTiming {
  /** Runs the function once after a while and returns how to prevent it. */
  later(run: () => void, ms: number): () => void;
}

/** Lines wait no longer than this. */
export const WRITE_AFTER_MS = 100;
/** Nor longer than until so many characters are waiting. */
export const WRITE_AT_LENGTH = 64 * 1024;
/** How long a stop waits for whoever reads the log. */
export const FLUSH_MS = 2_000;
/** When the sink is slower than the service, further lines are dropped. */
export const WAITING_MAX_LENGTH = 1024 * 1024;

/**
 * A writer of lines that costs a request next to nothing: lines are collected
 * and written together, one write at a time. What a slow sink can't take is
 * dropped and counted in a line of its own.
 */
export function lineWriter(
  sink: Sink,
  timing: WriterTiming = systemTiming,
): LineWriter {
  const encoder = new TextEncoder();
  let waiting = "";
  let dropped = 0;
  let cancel: (() => void) | null = null;
  let writing: Promise<void> | null = null;

  async function writeOut(): Promise<void> {
    cancel?.();
    cancel = null;
    if (dropped > 0) {
      waiting += `{"level":"error","event":"log_dropped","lines":${dropped}}\n`;
      dropped = 0;
    }
    const bytes = encoder.encode(waiting);
    waiting = "";
    try {
      await sink(bytes);
    } catch {
      // There is nowhere left to say that the log can't be written.
    }
    writing = null;
    if (waiting.length > 0) plan();
  }

  function plan(): void {
    if (writing !== null) return;
    if (waiting.length >= WRITE_AT_LENGTH) writing = writeOut();
    else cancel ??= timing.later(() => writing ??= writeOut(), WRITE_AFTER_MS);
  }

  return {
    write(line) {
      if (waiting.length + line.length > WAITING_MAX_LENGTH) {
        dropped++;
        return;
      }
      waiting += line + "\n";
      plan();
    },
    async flush() {
      let isLate = false;
      const late = Promise.withResolvers<void>();
      const callOff = timing.later(() => {
        isLate = true;
        late.resolve();
      }, FLUSH_MS);
      while (!isLate && (writing !== null || waiting.length > 0)) {
        await Promise.race([writing ??= writeOut(), late.promise]);
      }
      callOff();
    },
  };
}

const systemTiming: WriterTiming = { later: startTimer };
