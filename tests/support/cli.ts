import { ROOT } from "../../tools/own_modules.ts";
import { CapturedProcess, type ProcessEnd } from "./captured_process.ts";

/** What runs the command line. */
export type Runtime = "node" | "deno";

const PROGRAM = `${ROOT}clients/cli/spotlight.js`;

/** The command line, as somebody with a home of their own uses it. */
export class Cli implements AsyncDisposable {
  readonly #runtime: Runtime;
  readonly #env: Readonly<Record<string, string>>;
  /** Where its credentials are. */
  readonly home: string;

  private constructor(runtime: Runtime, home: string, url: string) {
    this.#runtime = runtime;
    this.home = home;
    this.#env = { XDG_CONFIG_HOME: home, SPOTLIGHT_URL: url };
  }

  static async make(runtime: Runtime, url: string): Promise<Cli> {
    const home = await Deno.makeTempDir({ prefix: "spotlight_cli_" });
    return new Cli(runtime, home, url);
  }

  /** The file of its credentials. */
  get credentials(): string {
    return `${this.home}/spotlight/credentials.json`;
  }

  /** What it was started by, as its advice begins. */
  get command(): string {
    const runs = this.#runtime === "node" ? "node" : "deno run -A";
    return `${runs} ${PROGRAM}`;
  }

  /** Starts a command; what it prints is for who typed it. */
  start(args: readonly string[], env = {}): CapturedProcess {
    const isNode = this.#runtime === "node";
    return new CapturedProcess({
      command: isNode ? "node" : Deno.execPath(),
      args: isNode
        ? [PROGRAM, ...args]
        : ["run", "-A", "--quiet", PROGRAM, ...args],
      cwd: this.home,
      env: { ...this.#env, ...env },
      printed: () => true,
    });
  }

  /** Runs a command to its end. */
  async run(args: readonly string[], env = {}): Promise<ProcessEnd> {
    await using process = this.start(args, env);
    return await process.ended;
  }

  /** Runs a command that prints a JSON value. */
  async json<Value>(...args: string[]): Promise<Value> {
    const { code, stdout, stderr } = await this.run([...args, "--json"]);
    if (code !== 0) throw new Error(`${args.join(" ")}: ${code} ${stderr}`);
    return JSON.parse(stdout);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.home, { recursive: true });
  }
}
