import { freePort, outputOf, Server } from "../../tools/bench/processes.ts";
import { installedPeers } from "../../tools/bench/peers.ts";
import {
  type BenchOptions,
  type Contest,
  ratioTarget,
  type Round,
  type Sample,
  type Suite,
} from "../../tools/bench/suite.ts";
import type { OauthLoad, OauthLoadResult } from "./oauth_client.ts";
import {
  BENCH_CLIENT_ID,
  type BenchTokens,
  type OauthServerOptions,
} from "./oauth_server.ts";

const CONNECTIONS = 32;
/** Different client addresses that the generator can name. */
const ADDRESSES = 65_536;

const SERVER = new URL("./oauth_server.ts", import.meta.url).href;
const CLIENT = new URL("./oauth_client.ts", import.meta.url).href;
const FORM = "Content-Type: application/x-www-form-urlencoded\r\n";

const NAMES = {
  memory: "this service, store in memory",
  file: "this service, store in a file",
  peer: "oidc-provider, its memory",
} as const;

/** A server with what its connections ask. */
interface Contender {
  name: string;
  server: Server;
  issue: Pick<OauthLoad, "heads" | "bodies" | "chained">;
  /** Tokens to check, good for a round. */
  tokens(): Promise<readonly string[]>;
  checkPath: string;
  host: string;
}

/** Tokens given and tokens checked, beside node-oidc-provider. */
export const oauth: Suite = {
  name: "oauth",
  title: "Access tokens issued and checked",
  async prepare(options, stack): Promise<Contest> {
    const contenders = [
      await startOwn(NAMES.memory, ":memory:", stack),
      await startOwn(NAMES.file, `${await folder(stack)}/kv.sqlite3`, stack),
      await startPeer(stack),
    ];
    return contestOf(contenders, options);
  },
};

function contestOf(
  contenders: readonly Contender[],
  { seconds }: BenchOptions,
): Contest {
  let turn = 0;
  const play = async (lasting: number): Promise<Round> => {
    const lines = contenders.flatMap((
      each,
    ): [string, () => Promise<Sample>][] => [
      [`issue: ${each.name}`, () => measureIssue(each, lasting)],
      [`check: ${each.name}`, () => measureCheck(each, lasting)],
    ]);
    // Lines take turns in coming first.
    const first = turn++ % lines.length;
    const round = new Map<string, Sample>();
    for (
      const [name, run] of [...lines.slice(first), ...lines.slice(0, first)]
    ) {
      round.set(name, await run());
    }
    return new Map(lines.map(([name]) => [name, round.get(name) ?? NONE]));
  };
  return {
    warmUp: async () => void await play(1),
    playRound: () => play(seconds),
    targets: [
      ratioTarget(`issue: ${NAMES.memory}`, `issue: ${NAMES.peer}`, 2),
      ratioTarget(`issue: ${NAMES.file}`, `issue: ${NAMES.peer}`),
      ratioTarget(`check: ${NAMES.memory}`, `check: ${NAMES.peer}`, 1.5),
      ratioTarget(`check: ${NAMES.file}`, `check: ${NAMES.peer}`),
    ],
    notes: [
      "Issue: a refresh that moves the grant's line on, rate limit and log " +
      "included; of the peer client credentials, the cheapest it does.",
      "Check: one strong read of token and grant; of the peer its own find, " +
      "which sees nothing that another process revoked.",
    ],
  };
}

const NONE: Sample = { perSecond: NaN };

async function startOwn(
  name: string,
  storePath: string,
  stack: AsyncDisposableStack,
): Promise<Contender> {
  const port = freePort();
  const tokensPath = `${await folder(stack)}/tokens.json`;
  const options: OauthServerOptions = {
    port,
    storePath,
    tokensPath,
    grants: CONNECTIONS,
  };
  const server = stack.use(
    await Server.start({
      command: Deno.execPath(),
      args: ["run", "-A", SERVER, JSON.stringify(options)],
      port,
      readyPath: "/.well-known/oauth-authorization-server",
    }),
  );
  const tokens = await readTokens(tokensPath);
  const host = `localhost:${port}`;
  const head = `POST /oauth/token HTTP/1.1\r\nHost: ${host}\r\n${FORM}`;
  return {
    name,
    server,
    host,
    checkPath: "/check",
    issue: {
      chained: true,
      heads: tokens.map(() => head),
      bodies: tokens.map(({ refreshToken }) =>
        `grant_type=refresh_token&client_id=${BENCH_CLIENT_ID}` +
        `&refresh_token=${refreshToken}`
      ),
    },
    tokens: () => Promise.resolve(tokens.map((each) => each.accessToken)),
  };
}

async function startPeer(stack: AsyncDisposableStack): Promise<Contender> {
  const port = freePort();
  const server = stack.use(
    await Server.start({
      command: "node",
      args: ["oidc_provider_server.js", JSON.stringify({ port })],
      env: { NODE_ENV: "production", NODE_NO_WARNINGS: "1" },
      cwd: await installedPeers(),
      port,
      readyPath: "/check",
    }),
  );
  const host = `127.0.0.1:${port}`;
  const head = `POST /token HTTP/1.1\r\nHost: ${host}\r\n${FORM}`;
  const body = "grant_type=client_credentials&client_id=bench" +
    "&client_secret=bench-secret&scope=account:read";
  return {
    name: NAMES.peer,
    server,
    host,
    checkPath: "/check",
    issue: {
      chained: false,
      heads: Array(CONNECTIONS).fill(head),
      bodies: Array(CONNECTIONS).fill(body),
    },
    // It remembers the last thousand or two, so these have to be new.
    tokens: () =>
      Promise.all(Array.from({ length: CONNECTIONS }, async () => {
        const answer = await fetch(`http://${host}/token`, {
          method: "POST",
          body: new URLSearchParams(body),
        });
        return (await answer.json()).access_token as string;
      })),
  };
}

async function measureIssue(
  { server, issue }: Contender,
  seconds: number,
): Promise<Sample> {
  const { sample, bodies } = await measure(server, { ...issue, seconds });
  issue.bodies = bodies;
  return sample;
}

async function measureCheck(
  { server, tokens, host, checkPath }: Contender,
  seconds: number,
): Promise<Sample> {
  const heads = (await tokens()).map((token) =>
    `GET ${checkPath} HTTP/1.1\r\nHost: ${host}\r\n` +
    `Authorization: Bearer ${token}\r\n`
  );
  const wanted = { heads, bodies: [], chained: false, seconds };
  return (await measure(server, wanted)).sample;
}

let addressesUsed = 0;

async function measure(
  server: Server,
  wanted: Omit<OauthLoad, "port" | "firstAddress">,
): Promise<{ sample: Sample; bodies: string[] }> {
  const firstAddress = addressesUsed;
  const load: OauthLoad = { ...wanted, port: server.port, firstAddress };
  const beforeMs = server.cpuMs();
  const text = await outputOf(Deno.execPath(), [
    "run",
    `--allow-net=127.0.0.1:${server.port}`,
    CLIENT,
    JSON.stringify(load),
  ]);
  const afterMs = server.cpuMs();
  const result = JSON.parse(text) as OauthLoadResult;
  const { answers, seconds, p50Ms, p99Ms, bodies } = result;
  addressesUsed = (addressesUsed + answers) % ADDRESSES;
  const perSecond = answers / seconds;
  const sample: Sample = { perSecond, p50Ms, p99Ms };
  if (beforeMs !== null && afterMs !== null) {
    sample.cpuUs = (afterMs - beforeMs) * 1_000 / answers;
  }
  return { sample, bodies };
}

/** Written once all grants are there. */
async function readTokens(path: string): Promise<BenchTokens> {
  const untilMs = performance.now() + 20_000;
  for (;;) {
    try {
      return JSON.parse(await Deno.readTextFile(path));
    } catch (error) {
      if (performance.now() > untilMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function folder(stack: AsyncDisposableStack): Promise<string> {
  const path = await Deno.makeTempDir({ prefix: "spotlight-bench-" });
  stack.defer(() => Deno.remove(path, { recursive: true }));
  return path;
}
