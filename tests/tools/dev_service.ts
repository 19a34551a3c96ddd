import type { DevFile } from "../../tools/dev_file.ts";
import { seen } from "../support/captured_logs.ts";
import {
  CapturedProcess,
  type ProcessEnd,
  runProcess,
} from "../support/captured_process.ts";

/** Longest a service may take until it writes `dev.json`, ms. */
const READY_WITHIN_MS = 30_000;
const POLL_MS = 10;

const ROOT = new URL("../../", import.meta.url).pathname;

/**
 * What `dev` prints for whoever started it and is no log, in full: who may sign
 * in, and the ready `curl` with a token.
 */
const DEV_PRINTS: readonly RegExp[] = [
  /^ {2}Sign in {4}\S+\/sign-in \(the code .*, as \S+@\S+ for example\)$/,
  /^ {2}curl -H "Authorization: Bearer \S+" \\$/,
];

/** A folder for one service, with everything on free ports. */
export class DevFolder implements AsyncDisposable {
  readonly dataDir: string;
  readonly env: Record<string, string>;
  /** From the start of the process to `dev.json`, ms. */
  readyMs = 0;
  #process: CapturedProcess | null = null;

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
    const process = this.#spawn();
    for (;;) {
      const file = await this.devFile();
      this.readyMs = performance.now() - startedMs;
      if (file !== null && JSON.stringify(file) !== left) {
        return await this.#noted(file);
      }
      const end = await Promise.race([process.ended, pause()]);
      if (end !== undefined) {
        this.#process = null;
        throw new Error(`dev has ended with exit code ${end.code}`);
      }
      if (this.readyMs > READY_WITHIN_MS) throw new Error("dev is not ready");
    }
  }

  /** Starts `dev` and ends it before it is ready; answers its exit code. */
  async startAndStop(): Promise<number> {
    const process = this.#spawn();
    await process.line((line) => line.includes('"event":"started"'));
    return await this.stop();
  }

  #spawn(): CapturedProcess {
    return this.#process = new CapturedProcess({
      ...tool("dev", []),
      env: this.env,
      printed: (line) => DEV_PRINTS.some((shape) => shape.test(line.trimEnd())),
    });
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

  /** Notes what no log of the service may tell. */
  async #noted(file: DevFile): Promise<DevFile> {
    for (const { email, access_token } of file.accounts) {
      seen.add("e-mail address", email);
      seen.add("access token", access_token);
    }
    const secret = await Deno.readTextFile(`${this.dataDir}/secrets`);
    seen.add("key of the service", secret.trim());
    return file;
  }

  /** Ends the service with a signal and answers its exit code. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<number> {
    const process = this.#process;
    if (process === null) throw new Error("dev does not run");
    this.#process = null;
    process.kill(signal);
    return (await process.ended).code;
  }

  /** Runs a tool to its end in this folder; what it prints is no log. */
  run(name: string, args: string[], input = ""): Promise<ProcessEnd> {
    const { env } = this;
    const printed = () => true;
    return runProcess({ ...tool(name, args), env, input, printed });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process !== null) await this.stop("SIGKILL");
    await Deno.remove(this.dataDir.replace(/\/data$/, ""), { recursive: true });
  }
}

function tool(name: string, args: readonly string[]) {
  return { args: ["run", "-A", `${ROOT}tools/${name}.ts`, ...args], cwd: ROOT };
}

/** A turn of the bounded polling for readiness. */
function pause(): Promise<undefined> {
  return new Promise((resolve) =>
    setTimeout(() => resolve(undefined), POLL_MS)
  );
}
