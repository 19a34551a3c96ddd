/**
 * The one place where tests capture logs. Whatever is captured here, of a
 * service, a process or a part with a log of its own, is looked through for
 * secrets when the test ends, and a leak fails that test. Importing this module
 * is enough: it registers the look.
 *
 * @module
 */
import type { Ids, Log } from "../../domain/ports.ts";
import { codeFrom } from "../../domain/sign_in/challenge.ts";
import type { LineWriter } from "../../routes/line_writer.ts";
import { leaksIn } from "./log_secrets.ts";
import { SecretBook } from "./secret_book.ts";

/** The secrets that have passed in the test that runs. */
export const seen = new SecretBook();

/** Lines that a failure shows; one mistake leaks with every request. */
const TOLD_MAX = 20;

/** What was captured and not yet looked through. */
const unchecked = new Map<CapturedText, string[]>();

Deno.test.afterEach(checkCapturedLogs);
// What came after the last test has ended.
Deno.test.afterAll(checkCapturedLogs);

/** Fails when a log that was captured since the last look tells a secret. */
export function checkCapturedLogs(): void {
  const captured = [...unchecked];
  const known = seen.entries();
  unchecked.clear();
  seen.clear();
  const leaks = captured.flatMap(([{ source }, texts]) =>
    leaksIn(texts.join(""), known).map((leak) => `${source} tells ${leak}`)
  );
  if (leaks.length === 0) return;
  const told = leaks.slice(0, TOLD_MAX).join("\n  ");
  throw new Error(
    `A log must keep secrets, it tells ${leaks.length} times\n  ${told}`,
  );
}

/** A text that is a log, as it comes in. */
export class CapturedText {
  /** What is named when it tells a secret: "the service", for example. */
  readonly source: string;
  #text = "";

  constructor(source: string) {
    this.source = source;
  }

  /** Takes down what was logged; a line may come in parts. */
  add(text: string): void {
    this.#text += text;
    const waiting = unchecked.get(this);
    if (waiting === undefined) unchecked.set(this, [text]);
    else waiting.push(text);
  }

  /** Everything so far. */
  get text(): string {
    return this.#text;
  }
}

/** A log that keeps its lines. */
export class MemoryLines implements LineWriter {
  readonly #captured = new CapturedText("a log in memory");
  /** What was written, in order. */
  readonly lines: string[] = [];

  write(line: string): void {
    this.lines.push(line);
    this.#captured.add(`${line}\n`);
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  /** Everything written, as one text. */
  get text(): string {
    return this.lines.join("\n");
  }
}

/** Keeps what was logged, to look at. */
export class MemoryLog implements Log {
  readonly #lines = new MemoryLines();
  /** The names of the events, in order. */
  readonly events: string[] = [];

  info(event: string, fields?: Record<string, unknown>): void {
    this.events.push(event);
    this.#lines.write(JSON.stringify({ event, ...fields }));
  }

  error(event: string, fields?: Record<string, unknown>): void {
    this.info(event, fields);
  }

  /** Its clock stands still: what was logged was logged at the beginning. */
  lastErrorMs(event: string): number | null {
    return this.events.includes(event) ? 0 : null;
  }

  /** The events with their fields, as JSON. */
  get lines(): readonly string[] {
    return this.#lines.lines;
  }
}

/** Notes a secret that `Ids` made, and the code that a mail makes of it. */
export function noteSecret(secret: string): string {
  seen.add("secret", secret);
  seen.add("e-mail code", codeFrom(secret));
  return secret;
}

/** The same ids; every secret they make is looked for in the test's logs. */
export function withSecretsSeen(ids: Ids): Ids {
  return {
    next: (prefix) => ids.next(prefix),
    secret: () => noteSecret(ids.secret()),
  };
}

/** Variables of the environment that hold what nobody else may see. */
const KEYS = [
  "SECRETS",
  "OPERATOR_KEY",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "MAIL_URL",
];

/** Notes the keys that a service is started with. */
export function noteKeys(env: Readonly<Record<string, string>>): void {
  for (const name of KEYS) seen.add("key of the service", env[name] ?? "");
}
