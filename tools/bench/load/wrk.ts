import { outputOf } from "../processes.ts";
import {
  type Generator,
  type Load,
  type LoadResult,
  requestTexts,
} from "./generator.ts";

const SCRIPT = new URL("./wrk.lua", import.meta.url).pathname;

/** `wrk` where it is installed, else null. It costs less than any of our own. */
export async function wrkGenerator(): Promise<Generator | null> {
  let version: string | undefined;
  try {
    // It prints its version together with its usage, which it calls an error.
    const { stdout, stderr } = await new Deno.Command("wrk", { args: ["-v"] })
      .output();
    const said = new TextDecoder().decode(
      new Uint8Array([
        ...stdout,
        ...stderr,
      ]),
    );
    version = /^wrk (?:debian\/)?([\w.]+)/m.exec(said)?.[1];
  } catch {
    return null;
  }
  return version === undefined ? null : { name: `wrk ${version}`, run };
}

interface WrkResult {
  requests: number;
  micros: number;
  refused: number;
  broken: number;
  p50: number;
  p99: number;
}

async function run(load: Load): Promise<LoadResult> {
  const requests = await Deno.makeTempFile({ prefix: "spotlight-bench-" });
  try {
    await Deno.writeTextFile(requests, requestLines(load));
    const text = await outputOf("wrk", [
      "--threads=1",
      `--connections=${load.connections}`,
      `--duration=${load.seconds}s`,
      `--script=${SCRIPT}`,
      `http://127.0.0.1:${load.port}/`,
      "--",
      requests,
    ]);
    const json = /^RESULT (.*)$/m.exec(text)?.[1];
    if (json === undefined) throw new Error(`Cannot read what wrk said`);
    return resultOf(JSON.parse(json));
  } finally {
    await Deno.remove(requests);
  }
}

function requestLines(load: Load): string {
  const lines = requestTexts(load).map((text) =>
    text.replaceAll("\r\n", "\\r\\n")
  );
  return lines.join("\n") + "\n";
}

function resultOf(said: WrkResult): LoadResult {
  if (said.broken > 0) {
    throw new Error(`Cannot measure: wrk lost ${said.broken} connections`);
  }
  return {
    served: said.requests - said.refused,
    refused: said.refused,
    seconds: said.micros / 1_000_000,
    p50Ms: said.p50 / 1_000,
    p99Ms: said.p99 / 1_000,
  };
}
