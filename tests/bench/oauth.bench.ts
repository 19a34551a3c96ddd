import type { Generator } from "../../tools/bench/load/generator.ts";
import { installedPeers } from "../../tools/bench/peers.ts";
import { freePort, Server } from "../../tools/bench/processes.ts";
import {
  type BenchOptions,
  type Contest,
  ratioTarget,
  type Round,
  type Sample,
  type Suite,
} from "../../tools/bench/suite.ts";
import {
  type OauthLoad,
  type OauthRequest,
  runOauthLoad,
} from "./oauth_load.ts";
import {
  BENCH_CLIENT_ID,
  type BenchCodes,
  type BenchTokens,
  type OauthServerOptions,
} from "./oauth_server.ts";

const CONNECTIONS = 48;
/** Client addresses that take turns, as in the reads suite. */
const ADDRESSES = 10_000;
/** Grants that take turns, for each line and round anew. */
const GRANTS = 64;
/** Codes are made ahead: as many as no server exchanges in that time. */
const CODE_SECONDS = 2;
const CODES = 40_000;
/**
 * One answer in so many may be a refusal: a peer forgets some grants at first. A
 * slow machine gives it too few answers meanwhile, so the warm-up is not judged.
 */
const ANSWERS_A_REFUSAL = 200;

const SERVER = new URL("./oauth_server.ts", import.meta.url).href;
const OWN_PATH = "/oauth/token";
const FORM = "Content-Type: application/x-www-form-urlencoded\r\n";

const REFRESH = {
  memory: "refresh: this service, store in memory",
  file: "refresh: this service, store in a file",
  peer: "refresh: oidc-provider, its memory",
  map: "refresh: oidc-provider, a plain map",
} as const;

const CODE = {
  memory: "code: this service, store in memory",
  file: "code: this service, store in a file",
  peer: "code: oidc-provider, its memory made larger",
  map: "code: oidc-provider, a plain map",
} as const;

const CREDENTIALS = "client credentials: oidc-provider, its memory";

const CHECK = {
  memory: "check: this service, store in memory",
  file: "check: this service, store in a file",
  peer: "check: oidc-provider, its memory",
  find: "check: oidc-provider, found in its process",
} as const;

type Asked =
  & Pick<OauthLoad, "then" | "requests" | "expected">
  & Partial<Pick<OauthLoad, "seconds">>;

/** One line of the table: a server and what its connections ask. */
interface Line {
  name: string;
  server: Server;
  /** Asked ahead of each round, untimed. */
  asked(): Promise<Asked>;
  /** What is played right before it, for nothing. */
  ahead?: readonly Line[];
}

/** Tokens given and tokens checked, beside node-oidc-provider. */
export const oauth: Suite = {
  name: "oauth",
  title: "Access tokens issued and checked",
  async prepare(options, stack): Promise<Contest> {
    const at = await folder(stack);
    const start = async (path: string) => stack.use(await startOwn(path));
    const memory = ownLines(
      await start(":memory:"),
      // Thousands of codes lie in a store of their own.
      await start(":memory:"),
      [REFRESH.memory, CODE.memory, CHECK.memory],
    );
    const onFile = ownLines(
      await start(`${at}/kv.sqlite3`),
      await start(`${at}/codes.sqlite3`),
      [REFRESH.file, CODE.file, CHECK.file],
    );
    const own = peerLines(stack.use(await startPeer("its own")));
    const larger = peerLines(stack.use(await startPeer("larger")));
    const map = peerLines(stack.use(await startPeer("map")));
    return contestOf([
      memory.refresh,
      onFile.refresh,
      own.refresh(REFRESH.peer),
      map.refresh(REFRESH.map),
      memory.code,
      onFile.code,
      larger.code(CODE.peer),
      map.code(CODE.map),
      own.credentials,
      memory.check,
      onFile.check,
      own.check,
      own.find,
    ], options);
  },
};

function contestOf(
  lines: readonly Line[],
  { seconds, generator }: BenchOptions,
): Contest {
  let turn = 0;
  const play = async (lasting: number, isJudged = true): Promise<Round> => {
    // Lines take turns in coming first.
    const first = turn++ % lines.length;
    const round = new Map<string, Sample>();
    for (const line of [...lines.slice(first), ...lines.slice(0, first)]) {
      for (const ahead of line.ahead ?? []) {
        await measure(ahead, lasting, generator, isJudged);
      }
      const sample = await measure(line, lasting, generator, isJudged);
      round.set(line.name, sample);
    }
    return new Map(lines.map(({ name }) => [name, round.get(name) ?? NONE]));
  };
  return {
    warmUp: async () => void await play(1, false),
    playRound: () => play(seconds),
    targets: [
      ratioTarget(REFRESH.memory, REFRESH.peer, 2),
      ratioTarget(REFRESH.memory, REFRESH.map),
      ratioTarget(REFRESH.file, REFRESH.peer),
      ratioTarget(CODE.memory, CODE.peer, 2),
      ratioTarget(CODE.memory, CODE.map),
      ratioTarget(CODE.file, CODE.peer),
      ratioTarget(REFRESH.memory, CREDENTIALS),
      ratioTarget(CHECK.memory, CHECK.peer, 1.5),
      ratioTarget(CHECK.file, CHECK.peer),
      ratioTarget(CHECK.memory, CHECK.find),
    ],
    notes: [
      "Refresh: a public client turns its refresh token over, ours with rate " +
      "limit and log. Code: it exchanges its code (PKCE, S256) for the first " +
      "tokens. Client credentials are told for information.",
      "Check: one strong read of token and grant, ours with the log; of the " +
      "peer its introspection. Its find, which is no endpoint and sees " +
      "nothing that another process revoked, is told for information.",
    ],
  };
}

const NONE: Sample = { perSecond: NaN };

function startOwn(storePath: string): Promise<Server> {
  const port = freePort();
  const options: OauthServerOptions = { port, storePath };
  return Server.start({
    command: Deno.execPath(),
    args: ["run", "-A", SERVER, JSON.stringify(options)],
    port,
    readyPath: "/lines?count=0",
  });
}

async function startPeer(
  adapter: "its own" | "larger" | "map",
): Promise<Server> {
  const port = freePort();
  return await Server.start({
    command: "node",
    args: ["oidc_provider_server.js", JSON.stringify({ port, adapter })],
    env: { NODE_ENV: "production", NODE_NO_WARNINGS: "1" },
    cwd: await installedPeers(),
    port,
    readyPath: "/lines?count=0",
  });
}

function ownLines(
  server: Server,
  codeServer: Server,
  [refresh, code, check]: [refresh: string, code: string, check: string],
): Record<"refresh" | "code" | "check", Line> {
  const host = `localhost:${server.port}`;
  return {
    refresh: ownRefresh(server, refresh),
    code: afterWarmUp(
      ownCode(codeServer, code),
      ownRefresh(codeServer, refresh),
    ),
    check: {
      name: check,
      server,
      asked: async () => shown(host, "/check", await newLines(host)),
    },
  };
}

function ownCode(server: Server, name: string): Line {
  const host = `localhost:${server.port}`;
  return {
    name,
    server,
    asked: async () =>
      exchanged(host, OWN_PATH, BENCH_CLIENT_ID, await newCodes(host)),
  };
}

function ownRefresh(server: Server, name: string): Line {
  const host = `localhost:${server.port}`;
  return {
    name,
    server,
    asked: async () =>
      refreshed(host, OWN_PATH, BENCH_CLIENT_ID, await newLines(host)),
  };
}

/** A second is too short for codes to warm up a server that was idle. */
function afterWarmUp(code: Line, refresh: Line): Line {
  return { ...code, ahead: [refresh, code] };
}

function peerLines(server: Server) {
  const host = `127.0.0.1:${server.port}`;
  const secret = "client_id=bench&client_secret=bench-secret";
  const line = (name: string, asked: Line["asked"]): Line => ({
    name,
    server,
    asked,
  });
  const refresh = (name: string) =>
    line(
      name,
      async () => refreshed(host, "/token", "app", await newLines(host)),
    );
  const code = (name: string) =>
    line(
      name,
      async () => exchanged(host, "/token", "app", await newCodes(host)),
    );
  return {
    refresh,
    code: (name: string) => afterWarmUp(code(name), refresh(name)),
    credentials: line(CREDENTIALS, () => {
      const body = `grant_type=client_credentials&${secret}&scope=account:read`;
      const request = { head: posting(host, "/token"), body };
      return Promise.resolve({
        then: "repeat",
        requests: [request],
        expected: "access_token",
      });
    }),
    check: line(CHECK.peer, async () => {
      const head = posting(host, "/token/introspection");
      const requests = (await newLines(host)).map(({ accessToken }) => ({
        head,
        body: `token=${accessToken}&token_type_hint=access_token&${secret}`,
      }));
      // A token that is no good is answered with 200 as well.
      return { then: "repeat", requests, expected: '"active":true' };
    }),
    find: line(
      CHECK.find,
      async () => shown(host, "/find", await newLines(host)),
    ),
  };
}

async function newLines(host: string): Promise<BenchTokens[]> {
  return await (await fetch(`http://${host}/lines?count=${GRANTS}`)).json();
}

async function newCodes(host: string): Promise<BenchCodes> {
  return await (await fetch(`http://${host}/codes?count=${CODES}`)).json();
}

function refreshed(
  host: string,
  path: string,
  clientId: string,
  tokens: readonly BenchTokens[],
): Asked {
  const head = posting(host, path);
  const requests = tokens.map(({ refreshToken }): OauthRequest => ({
    head,
    body: `grant_type=refresh_token&client_id=${clientId}` +
      `&refresh_token=${refreshToken}`,
  }));
  return { then: "refresh", requests, expected: "refresh_token" };
}

function exchanged(
  host: string,
  path: string,
  clientId: string,
  { codes, verifier, redirectUri }: BenchCodes,
): Asked {
  const head = posting(host, path);
  const shared = `grant_type=authorization_code&client_id=${clientId}` +
    `&code_verifier=${verifier}` +
    `&redirect_uri=${encodeURIComponent(redirectUri)}`;
  const requests = codes.map((code): OauthRequest => ({
    head,
    body: `${shared}&code=${code}`,
  }));
  const seconds = CODE_SECONDS;
  return { then: "nothing", requests, expected: "refresh_token", seconds };
}

function posting(host: string, path: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${FORM}`;
}

function shown(
  host: string,
  path: string,
  tokens: readonly BenchTokens[],
): Asked {
  const requests = tokens.map(({ accessToken }): OauthRequest => ({
    head: `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n` +
      `Authorization: Bearer ${accessToken}\r\n`,
    body: "",
  }));
  return { then: "repeat", requests, expected: "{}" };
}

let addressesUsed = 0;

async function measure(
  line: Line,
  seconds: number,
  generator: Generator,
  isJudged: boolean,
): Promise<Sample> {
  const { server } = line;
  const load: OauthLoad = {
    port: server.port,
    seconds,
    connections: CONNECTIONS,
    addresses: ADDRESSES,
    firstAddress: addressesUsed,
    ...await line.asked(),
  };
  const beforeMs = server.cpuMs();
  const { answers, bad, p50Ms, p99Ms, ...result } = await runOauthLoad(
    generator,
    load,
  );
  const afterMs = server.cpuMs();
  const allowed = isJudged ? answers / ANSWERS_A_REFUSAL : answers;
  if (answers === 0 || bad > allowed) {
    throw new Error(`Cannot measure ${line.name}: ${bad} answers are refusals`);
  }
  addressesUsed = (addressesUsed + answers) % ADDRESSES;
  const sample: Sample = { perSecond: answers / result.seconds, p50Ms, p99Ms };
  if (beforeMs !== null && afterMs !== null) {
    sample.cpuUs = (afterMs - beforeMs) * 1_000 / answers;
  }
  return sample;
}

async function folder(stack: AsyncDisposableStack): Promise<string> {
  const path = await Deno.makeTempDir({ prefix: "spotlight-bench-" });
  stack.defer(() => Deno.remove(path, { recursive: true }));
  return path;
}
