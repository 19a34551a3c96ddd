import { type Generator, NETWORK } from "../../tools/bench/load/generator.ts";
import { outputOf } from "../../tools/bench/processes.ts";

/** What is asked, from a line of requests that connections take from. */
export interface OauthLoad {
  port: number;
  seconds: number;
  connections: number;
  /**
   * What comes of a request once it is answered: it goes to the end of the line
   * again, or its successor with the refresh token of the answer, or nothing.
   */
  then: "repeat" | "refresh" | "nothing";
  requests: readonly OauthRequest[];
  /** What the body of every answer contains. */
  expected: string;
  /** Client addresses that take turns, and the one that is next. */
  addresses: number;
  firstAddress: number;
  /** The first two bytes of the addresses; {@linkcode NETWORK} if left out. */
  network?: string;
}

/** One request. */
export interface OauthRequest {
  /** Request line and headers, each ended, without address and length. */
  head: string;
  /** A form; empty for none. A refresh token comes last. */
  body: string;
}

/** What came back. */
export interface OauthLoadResult {
  answers: number;
  /** Answers that were not what is expected. */
  bad: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}

const SCRIPT = new URL("./oauth_load.lua", import.meta.url).pathname;
const CLIENT = new URL("./oauth_client.ts", import.meta.url).href;

/** Asks with what the generator is made of. */
export async function runOauthLoad(
  generator: Generator,
  load: OauthLoad,
): Promise<OauthLoadResult> {
  const file = await Deno.makeTempFile({ prefix: "spotlight-bench-" });
  try {
    return generator.name.startsWith("wrk")
      ? await runWrk(load, file)
      : await runOwn(load, file);
  } finally {
    await Deno.remove(file);
  }
}

async function runOwn(
  load: OauthLoad,
  file: string,
): Promise<OauthLoadResult> {
  await Deno.writeTextFile(file, JSON.stringify(load));
  const allowed = [
    `--allow-net=127.0.0.1:${load.port}`,
    `--allow-read=${file}`,
  ];
  return JSON.parse(
    await outputOf(Deno.execPath(), ["run", ...allowed, CLIENT, file]),
  );
}

async function runWrk(
  load: OauthLoad,
  file: string,
): Promise<OauthLoadResult> {
  const { then, expected, addresses, firstAddress, requests } = load;
  const { network = NETWORK } = load;
  const lines = requests.map(({ head, body }) =>
    `${head.replaceAll("\r\n", "\\r\\n")}\t${body}`
  );
  const all = [then, expected, addresses, firstAddress, network, ...lines];
  await Deno.writeTextFile(file, all.join("\n") + "\n");
  const text = await outputOf("wrk", [
    "--threads=1",
    `--connections=${load.connections}`,
    `--duration=${load.seconds}s`,
    `--script=${SCRIPT}`,
    `http://127.0.0.1:${load.port}/`,
    "--",
    file,
  ]);
  const json = /^RESULT (.*)$/m.exec(text)?.[1];
  if (json === undefined) throw new Error("Cannot read what wrk said");
  return JSON.parse(json);
}
