/**
 * The conformance suite's command for servers.
 *
 * @module
 */
import { CONFORMANCE, optionArgs } from "./conformance.ts";
import { runNpmTool } from "./npm_tool.ts";

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
  const args = ["server", ...optionArgs({ url, ...run })];
  const { code, stdout, stderr } = await runNpmTool(CONFORMANCE, args);
  const output = stdout + stderr;
  return { code, output, scenarios: scenariosIn(output) };
}

/** The lines of the summary. */
function scenariosIn(output: string): ScenarioResult[] {
  const lines = output.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm);
  return [...lines].map(([, name = "", passed, failed]) => ({
    name,
    passed: Number(passed),
    failed: Number(failed),
  }));
}
