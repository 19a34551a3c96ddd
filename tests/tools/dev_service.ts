import type { DevFile } from "../../tools/dev_file.ts";

/** Longest a service may take until it writes `dev.json`, ms. */
const READY_WITHIN_MS = 30_000;
const POLL_MS = 10;

const ROOT = new URL("../../", import.meta.url).pathname;

/** What a tool came to. */
export interface ToolRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** A folder for one service, with everything on free ports. */
export class DevFolder implements AsyncDisposable {
  readonly dataDir: string;
  readonly env: Record<string, string>;
  /** From the start of the process to `dev.json`, ms. */
  readyMs = 0;
  #child: Deno.ChildProcess | null = null;

  private constructor(dataDir: string, env: Record<string, string>) {
    this.dataDir = dataDir;
    this.env = {
      DATA_DIR: dataDir,
      BASE_URL: "http://localhost:0",
      AUTH_URL: "http://localhost:0",
      DOCS_MCP_URL: "http://localhost:0/mcp",
      STRIPE_API_BASE: "http://localhost:0",
      ...env,
    };
  }

  static async make(env: Record<string, string> = {}): Promise<DevFolder> {
    const folder = await Deno.makeTempDir({ prefix: "spotlight_dev_" });
    return new DevFolder(`${folder}/data`, env);
  }

  /** Starts `dev` and answers what it wrote, once it did. */
  async start(): Promise<DevFile> {
    // A service that was killed has left its file behind.
    const left = JSON.stringify(await this.devFile());
    const startedMs = performance.now();
    const child = tool("dev", [], this.env, "null").spawn();
    this.#child = child;
    const ended = child.status.then(({ code }) => code);
    for (;;) {
      const file = await this.devFile();
      this.readyMs = performance.now() - startedMs;
      if (file !== null && JSON.stringify(file) !== left) return file;
      const code = await Promise.race([ended, pause()]);
      if (code !== undefined) {
        this.#child = null;
        throw new Error(`dev has ended with exit code ${code}`);
      }
      if (this.readyMs > READY_WITHIN_MS) throw new Error("dev is not ready");
    }
  }

  /** The file as it is now, or null. */
  async devFile(): Promise<DevFile | null> {
    try {
      return JSON.parse(await Deno.readTextFile(`${this.dataDir}/dev.json`));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return null;
      throw error;
    }
  }

  /** Ends the service with a signal and answers its exit code. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<number> {
    const child = this.#child;
    if (child === null) throw new Error("dev does not run");
    this.#child = null;
    child.kill(signal);
    return (await child.status).code;
  }

  /** Runs a tool to its end in this folder. */
  async run(name: string, args: string[], stdin = ""): Promise<ToolRun> {
    const child = tool(name, args, this.env, "piped").spawn();
    const sent = ReadableStream.from([new TextEncoder().encode(stdin)])
      // A tool that wants no input may have ended before it is sent.
      .pipeTo(child.stdin).catch(() => {});
    const { code, stdout, stderr } = await child.output();
    await sent;
    const decoder = new TextDecoder();
    return {
      code,
      stdout: decoder.decode(stdout),
      stderr: decoder.decode(stderr),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child !== null) await this.stop("SIGKILL");
    await Deno.remove(this.dataDir.replace(/\/data$/, ""), { recursive: true });
  }
}

function tool(
  name: string,
  args: string[],
  env: Record<string, string>,
  pipes: "null" | "piped",
): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", `${ROOT}tools/${name}.ts`, ...args],
    cwd: ROOT,
    env: { NO_COLOR: "1", ...env },
    stdin: pipes,
    stdout: pipes,
    stderr: pipes === "null" ? "inherit" : pipes,
  });
}

/** A turn of the bounded polling for readiness. */
function pause(): Promise<undefined> {
  return new Promise((resolve) =>
    setTimeout(() => resolve(undefined), POLL_MS)
  );
}
