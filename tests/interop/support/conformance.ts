import { type NpmTool, npmToolArgs } from "./npm_tool.ts";

/** The conformance tests that the MCP project has. */
export const CONFORMANCE: NpmTool = {
  specifier: "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
  lock: "conformance.lock",
};
/** How its line begins that says it listens at `/callback`. */
const LISTENING = "Callback server started";
/** Longest run, the download on a fresh machine included. */
const WITHIN_MS = 90_000;

/** What the tool is told of the server. */
export interface ConformanceTarget {
  issuer: string;
  clientId: string;
  resource: string;
  /** Where it listens for the answer, at `/callback`. */
  port: number;
}

/** How a run ended. */
export interface ConformanceResult {
  code: number;
  output: string;
}

/**
 * Runs the MCP conformance tests of an authorization server. The tool prints
 * where a user has to go and waits until the user comes back.
 */
export async function runConformance(
  { issuer, clientId, resource, port }: ConformanceTarget,
  authorize: (url: string) => Promise<unknown>,
): Promise<ConformanceResult> {
  const options = {
    url: issuer,
    "client-id": clientId,
    resource,
    port: String(port),
  };
  const process = new Deno.Command(Deno.execPath(), {
    args: npmToolArgs(CONFORMANCE, ["authorization", ...optionArgs(options)]),
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
    signal: AbortSignal.timeout(WITHIN_MS),
  }).spawn();
  try {
    const output = await readOutput(process, async (soFar) => {
      const url = addressIn(soFar, `${issuer}/oauth/authorize?`);
      // It may print the address before it listens for the answer.
      if (url === null || addressIn(soFar, LISTENING) === null) return false;
      await authorize(url);
      return true;
    });
    return { code: (await process.status).code, output };
  } catch (error) {
    process.kill();
    await process.status;
    throw error;
  }
}

/** Options as the tool takes them. */
export function optionArgs(
  options: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(options).map(([name, value]) => `--${name}=${value}`);
}

/** Reads all that a process prints, and shows it until that was enough. */
async function readOutput(
  { stdout }: Deno.ChildProcess,
  isEnough: (soFar: string) => Promise<boolean>,
): Promise<string> {
  let output = "";
  let enough = false;
  for await (const part of stdout.pipeThrough(new TextDecoderStream())) {
    output += part;
    enough ||= await isEnough(output);
  }
  return output;
}

/** The line that begins so, once it is complete. */
function addressIn(output: string, beginning: string): string | null {
  const lines = output.split("\n").slice(0, -1);
  return lines.find((line) => line.startsWith(beginning)) ?? null;
}
