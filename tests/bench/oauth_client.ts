/**
 * The load of the OAuth benchmarks in a process of its own, where wrk is not to
 * be had. Takes the path of {@linkcode OauthLoad} as JSON in its only argument
 * and prints {@linkcode OauthLoadResult}.
 *
 * @module
 */
import { Connection } from "../../tools/bench/load/connection.ts";
import { addressOf } from "../../tools/bench/load/generator.ts";
import { percentile } from "../../tools/bench/statistics.ts";
import type { OauthLoad, OauthLoadResult, OauthRequest } from "./oauth_load.ts";

const REFRESH_TOKEN = /"refresh_token":"([^"]+)"/;

async function run(load: OauthLoad): Promise<OauthLoadResult> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const tookMs: number[] = [];
  const line = [...load.requests];
  let [next, bad, address] = [0, 0, load.firstAddress];
  const startMs = performance.now();
  const endMs = startMs + load.seconds * 1_000;
  const client = async () => {
    using connection = await Connection.open(load.port);
    for (;;) {
      const askedMs = performance.now();
      if (askedMs >= endMs) return;
      const asked = line[next++];
      if (asked === undefined) throw new Error("Cannot ask: the line is empty");
      // Before the answer, as fewer requests than connections may take turns.
      if (load.then === "repeat") line.push(asked);
      address = (address + 1) % load.addresses;
      const text = textOf(asked, addressOf(address, load.network));
      const answer = await connection.ask(encoder.encode(text));
      tookMs.push(performance.now() - askedMs);
      const body = decoder.decode(
        answer.bytes.subarray(answer.bodyStart, answer.end),
      );
      const good = answer.status === 200 && body.includes(load.expected);
      if (!good) bad += 1;
      if (good && load.then === "refresh") line.push(after(asked, body));
    }
  };
  await Promise.all(Array.from({ length: load.connections }, client));
  return {
    answers: tookMs.length - bad,
    bad,
    seconds: (performance.now() - startMs) / 1_000,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
  };
}

function textOf({ head, body }: OauthRequest, address: string): string {
  const length = body === "" ? "" : `Content-Length: ${body.length}\r\n`;
  return `${head}X-Forwarded-For: ${address}\r\n${length}\r\n${body}`;
}

function after({ head, body }: OauthRequest, answer: string): OauthRequest {
  const token = REFRESH_TOKEN.exec(answer)?.[1] ?? "";
  return {
    head,
    body: body.replace(/&refresh_token=.*$/, () => `&refresh_token=${token}`),
  };
}

if (import.meta.main) {
  const path = Deno.args[0] ?? "";
  const result = await run(JSON.parse(await Deno.readTextFile(path)));
  // deno-lint-ignore no-console
  console.log(JSON.stringify(result));
}
