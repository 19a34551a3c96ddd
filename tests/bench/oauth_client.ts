/**
 * The load of the OAuth benchmarks in a process of its own: each connection
 * asks again and again, with what the last answer gave it where that is wanted.
 * Takes {@linkcode OauthLoad} as JSON in its only argument and prints
 * {@linkcode OauthLoadResult}.
 *
 * @module
 */
import { Connection } from "../../tools/bench/load/connection.ts";
import { addressOf } from "../../tools/bench/load/generator.ts";
import { percentile } from "../../tools/bench/statistics.ts";

/** What is asked. */
export interface OauthLoad {
  port: number;
  seconds: number;
  /** Request line and headers, each ended; one for each connection. */
  heads: string[];
  /** Forms, one for each connection; empty for requests without a body. */
  bodies: string[];
  /** Whether the next form has the refresh token of the last answer. */
  chained: boolean;
  /** What the body of every answer contains; empty for whatever is there. */
  expected: string;
  /** Client addresses that were used before. */
  firstAddress: number;
}

/** What came back. */
export interface OauthLoadResult {
  answers: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  /** What each connection would send next. */
  bodies: string[];
}

const REFRESH_TOKEN = /"refresh_token":"([^"]+)"/;

async function run(load: OauthLoad): Promise<OauthLoadResult> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const tookMs: number[] = [];
  const bodies = [...load.bodies];
  let address = load.firstAddress;
  const startMs = performance.now();
  const endMs = startMs + load.seconds * 1_000;
  const client = async (head: string, nth: number) => {
    using connection = await Connection.open(load.port);
    for (;;) {
      const askedMs = performance.now();
      if (askedMs >= endMs) return;
      const body = bodies[nth] ?? "";
      // An address of its own for each request, so that no limit is met.
      const from = `X-Forwarded-For: ${addressOf(address++)}\r\n`;
      const length = body === "" ? "" : `Content-Length: ${body.length}\r\n`;
      const request = `${head}${from}${length}\r\n${body}`;
      const answer = await connection.ask(encoder.encode(request));
      tookMs.push(performance.now() - askedMs);
      if (answer.status !== 200) throw new Error(`Answered ${answer.status}`);
      if (!load.chained && load.expected === "") continue;
      const text = decoder.decode(
        answer.bytes.subarray(answer.bodyStart, answer.end),
      );
      if (!text.includes(load.expected)) throw new Error(`Answered ${text}`);
      if (!load.chained) continue;
      const next = REFRESH_TOKEN.exec(text)?.[1];
      if (next === undefined) throw new Error("Answered no refresh token");
      bodies[nth] = body.replace(
        /&refresh_token=[^&]*/,
        () => `&refresh_token=${next}`,
      );
    }
  };
  await Promise.all(load.heads.map(client));
  return {
    answers: tookMs.length,
    seconds: (performance.now() - startMs) / 1_000,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
    bodies,
  };
}

if (import.meta.main) {
  const result = await run(JSON.parse(Deno.args[0] ?? "{}") as OauthLoad);
  // deno-lint-ignore no-console
  console.log(JSON.stringify(result));
}
