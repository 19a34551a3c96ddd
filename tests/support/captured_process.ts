import { CapturedText, noteKeys } from "./captured_logs.ts";

/** What a process is started with. */
export interface ProcessOptions {
  /** The program; this Deno when left out. */
  command?: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** What it reads on standard input; nothing when left out. */
  input?: string;
  /**
   * Lines of standard output that answer whoever typed the command, and are no
   * log; none when left out. A line that the service's log writes is never one.
   */
  printed?: (line: string) => boolean;
}

/** How a process ended, and all it wrote. */
export interface ProcessEnd {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * A process of a test. What it logs on standard output, and everything on
 * standard error, is looked through for secrets when the test ends.
 */
export class CapturedProcess implements AsyncDisposable {
  /** Settles once it has ended and all it wrote was read. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: Deno.ChildProcess;
  readonly #log = new CapturedText("a process");
  readonly #printed: (line: string) => boolean;
  readonly #lines: string[] = [];
  #news = Promise.withResolvers<void>();
  #over = false;

  constructor(options: ProcessOptions) {
    const { command, args, env = {}, cwd, input, printed } = options;
    noteKeys(env);
    this.#printed = printed ?? (() => false);
    this.#child = new Deno.Command(command ?? Deno.execPath(), {
      args: [...args],
      env: { NO_COLOR: "1", ...env },
      ...cwd !== undefined && { cwd },
      stdin: input === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.ended = this.#run(input);
  }

  /** The first line of standard output that is wanted, once it is written. */
  async line(wanted: (line: string) => boolean = () => true): Promise<string> {
    for (;;) {
      const found = this.#lines.find(wanted);
      if (found !== undefined) return found;
      if (this.#over) throw await this.#endedEarly();
      await this.#news.promise;
    }
  }

  async #endedEarly(): Promise<Error> {
    const { code, stderr } = await this.ended;
    const why = stderr.slice(-1_000);
    return new Error(`The process ended by ${code} before it answered: ${why}`);
  }

  /** The id of the process. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Sends a signal, unless the process has ended. */
  kill(signal: Deno.Signal): void {
    if (!this.#over) this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill("SIGKILL");
    await this.ended;
  }

  async #run(input: string | undefined): Promise<ProcessEnd> {
    const [{ code }, stdout, stderr] = await Promise.all([
      this.#status(),
      readLines(this.#child.stdout, (line) => this.#take(line)),
      readLines(this.#child.stderr, (line) => this.#log.add(line)),
      input === undefined ? null : send(this.#child, input),
    ]);
    this.#tell();
    return { code, stdout, stderr };
  }

  async #status(): Promise<Deno.CommandStatus> {
    const status = await this.#child.status;
    this.#over = true;
    return status;
  }

  #take(line: string): void {
    if (isLogLine(line) || !this.#printed(line)) this.#log.add(line);
    this.#lines.push(line.trimEnd());
    this.#tell();
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}

/** A process that runs to its end. */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  return await new CapturedProcess(options).ended;
}

/** Whether a line is one of the service's log: of an event or of a request. */
export function isLogLine(line: string): boolean {
  if (!line.startsWith("{")) return false;
  try {
    const { ts, event, route } = JSON.parse(line);
    return event === "log_dropped" ||
      typeof ts === "string" && (event ?? route) !== undefined;
  } catch {
    // A line that was cut short is taken for what it begins as.
    return /^\{"(ts|level)":/.test(line);
  }
}

/** Reads to the end, line by line, line feeds included; answers everything. */
async function readLines(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (line: string) => void,
): Promise<string> {
  let all = "";
  let rest = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    all += part;
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(`${line}\n`);
  }
  if (rest !== "") take(rest);
  return all;
}

/** A program that wants no input may have ended before it is sent. */
async function send(child: Deno.ChildProcess, input: string): Promise<void> {
  await ReadableStream.from([new TextEncoder().encode(input)])
    .pipeTo(child.stdin).catch(() => {});
}
