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

const ISSUE = {
  memory: "issue: this service, store in memory",
  file: "issue: this service, store in a file",
  peer: "issue: oidc-provider, its memory",
  credentials: "issue: oidc-provider, client credentials",
} as const;

const CHECK = {
  memory: "check: this service, store in memory",
  file: "check: this service, store in a file",
  peer: "check: oidc-provider, its memory",
  find: "check: oidc-provider, found in its process",
} as const;

type Asked = Pick<OauthLoad, "heads" | "bodies" | "chained" | "expected">;

/** One line of the table: a server and what its connections ask. */
interface Line {
  name: string;
  server: Server;
  /** Asked ahead of each round, untimed. */
  asked(): Promise<Asked>;
  /** Told of the forms that would come next. */
  moved?(bodies: string[]): void;
}

/** Tokens given and tokens checked, beside node-oidc-provider. */
export const oauth: Suite = {
  name: "oauth",
  title: "Access tokens issued and checked",
  async prepare(options, stack): Promise<Contest> {
    const file = `${await folder(stack)}/kv.sqlite3`;
    const [issueMemory, checkMemory] = await startOwn(
      [ISSUE.memory, CHECK.memory],
      ":memory:",
      stack,
    );
    const [issueFile, checkFile] = await startOwn(
      [ISSUE.file, CHECK.file],
      file,
      stack,
    );
    const peer = await startPeer(stack);
    return contestOf([
      issueMemory,
      issueFile,
      peer.issue,
      peer.credentials,
      checkMemory,
      checkFile,
      peer.check,
      peer.find,
    ], options);
  },
};

function contestOf(
  lines: readonly Line[],
  { seconds }: BenchOptions,
): Contest {
  let turn = 0;
  const play = async (lasting: number): Promise<Round> => {
    // Lines take turns in coming first.
    const first = turn++ % lines.length;
    const round = new Map<string, Sample>();
    for (const line of [...lines.slice(first), ...lines.slice(0, first)]) {
      round.set(line.name, await measure(line, lasting));
    }
    return new Map(lines.map(({ name }) => [name, round.get(name) ?? NONE]));
  };
  return {
    warmUp: async () => void await play(1),
    playRound: () => play(seconds),
    targets: [
      ratioTarget(ISSUE.memory, ISSUE.peer, 2),
      ratioTarget(ISSUE.file, ISSUE.peer),
      ratioTarget(ISSUE.memory, ISSUE.credentials),
      ratioTarget(CHECK.memory, CHECK.peer, 1.5),
      ratioTarget(CHECK.file, CHECK.peer),
      ratioTarget(CHECK.memory, CHECK.find),
    ],
    notes: [
      "Issue: a public client turns its refresh token over, ours with rate " +
      "limit and log; client credentials are told for information.",
      "Check: one strong read of token and grant, ours with the log; of the " +
      "peer its introspection. Its find, which is no endpoint and sees " +
      "nothing that another process revoked, is told for information.",
    ],
  };
}

const NONE: Sample = { perSecond: NaN };

async function startOwn(
  [issue, check]: [issue: string, check: string],
  storePath: string,
  stack: AsyncDisposableStack,
): Promise<[Line, Line]> {
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
  let forms = refreshForms(BENCH_CLIENT_ID, tokens);
  return [{
    name: issue,
    server,
    asked: () => Promise.resolve(posted(host, "/oauth/token", forms, true)),
    moved: (bodies) => forms = bodies,
  }, {
    name: check,
    server,
    asked: () => Promise.resolve(shown(host, "/check", tokens)),
  }];
}

async function startPeer(
  stack: AsyncDisposableStack,
): Promise<Record<"issue" | "credentials" | "check" | "find", Line>> {
  const port = freePort();
  const server = stack.use(
    await Server.start({
      command: "node",
      args: ["oidc_provider_server.js", JSON.stringify({ port })],
      env: { NODE_ENV: "production", NODE_NO_WARNINGS: "1" },
      cwd: await installedPeers(),
      port,
      readyPath: "/lines",
    }),
  );
  const host = `127.0.0.1:${port}`;
  const secret = "client_id=bench&client_secret=bench-secret";
  // Its memory is the last thousand entries or two, and takes longer the more
  // tokens a grant has had: every round has grants of its own.
  const lines = async (): Promise<BenchTokens> =>
    await (await fetch(`http://${host}/lines?count=${CONNECTIONS}`)).json();
  const line = (name: string, asked: Line["asked"]) => ({
    name,
    server,
    asked,
  });
  return {
    issue: line(
      ISSUE.peer,
      async () =>
        posted(host, "/token", refreshForms("app", await lines()), true),
    ),
    credentials: line(ISSUE.credentials, () => {
      const form = `grant_type=client_credentials&${secret}&scope=account:read`;
      const forms = Array<string>(CONNECTIONS).fill(form);
      return Promise.resolve(posted(host, "/token", forms, false));
    }),
    check: line(CHECK.peer, async () => {
      const forms = (await lines()).map(({ accessToken }) =>
        `token=${accessToken}&token_type_hint=access_token&${secret}`
      );
      const asked = posted(host, "/token/introspection", forms, false);
      // A token that is no good is answered with 200 as well.
      return { ...asked, expected: '"active":true' };
    }),
    find: line(CHECK.find, async () => shown(host, "/find", await lines())),
  };
}

function refreshForms(clientId: string, tokens: BenchTokens): string[] {
  return tokens.map(({ refreshToken }) =>
    `grant_type=refresh_token&client_id=${clientId}` +
    `&refresh_token=${refreshToken}`
  );
}

function posted(
  host: string,
  path: string,
  bodies: string[],
  chained: boolean,
): Asked {
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${FORM}`;
  return { heads: bodies.map(() => head), bodies, chained, expected: "" };
}

function shown(host: string, path: string, tokens: BenchTokens): Asked {
  const heads = tokens.map(({ accessToken }) =>
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n` +
    `Authorization: Bearer ${accessToken}\r\n`
  );
  return { heads, bodies: [], chained: false, expected: "" };
}

let addressesUsed = 0;

async function measure(line: Line, seconds: number): Promise<Sample> {
  const { server } = line;
  const load: OauthLoad = {
    ...await line.asked(),
    seconds,
    port: server.port,
    firstAddress: addressesUsed,
  };
  const beforeMs = server.cpuMs();
  const text = await outputOf(Deno.execPath(), [
    "run",
    `--allow-net=127.0.0.1:${server.port}`,
    CLIENT,
    JSON.stringify(load),
  ]);
  const afterMs = server.cpuMs();
  const result = JSON.parse(text) as OauthLoadResult;
  line.moved?.(result.bodies);
  const { answers, p50Ms, p99Ms } = result;
  addressesUsed = (addressesUsed + answers) % ADDRESSES;
  const sample: Sample = { perSecond: answers / result.seconds, p50Ms, p99Ms };
  if (beforeMs !== null && afterMs !== null) {
    sample.cpuUs = (afterMs - beforeMs) * 1_000 / answers;
  }
  return sample;
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
