/**
 * The conformance suite's command for servers.
 *
 * @module
 */
import { CapturedProcess } from "../../support/captured_process.ts";
import { conformanceArgs } from "./conformance.ts";

/** Longest run, the download on a fresh machine included. */
const WITHIN_MS = 120_000;

/** What came of one scenario. */
export interface ScenarioResult {
  name: string;
  passed: number;
  failed: number;
}

/** How a run ended. */
export interface ServerConformance {
  /** 0 when all that counts went as expected. */
  code: number;
  scenarios: readonly ScenarioResult[];
  output: string;
}

/** Which scenarios are run, and what of them may fail. */
export type ServerRun = Readonly<
  Partial<
    Record<
      "requirements" | "scenario" | "spec-version" | "expected-failures",
      string
    >
  >
>;

/** Runs scenarios against a server. */
export async function runServerConformance(
  url: string,
  run: ServerRun,
): Promise<ServerConformance> {
  // A folder of its own, as the tool looks for a package of the server.
  const cwd = await Deno.makeTempDir({ prefix: "conformance-" });
  try {
    const args = conformanceArgs("server", { url, ...run });
    const printed = () => true;
    await using process = new CapturedProcess({ args, cwd, printed });
    const timer = setTimeout(() => process.kill("SIGKILL"), WITHIN_MS);
    const { code, stdout, stderr } = await process.ended;
    clearTimeout(timer);
    const output = stdout + stderr;
    return { code, output, scenarios: scenariosIn(output) };
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}

/** The lines of the summary, or the one result of a single scenario. */
function scenariosIn(output: string): ScenarioResult[] {
  const lines = output.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm);
  return [...lines].map(([, name = "", passed, failed]) => ({
    name,
    passed: Number(passed),
    failed: Number(failed),
  }));
}
