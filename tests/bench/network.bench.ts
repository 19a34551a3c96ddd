/**
 * The service over a store that is a network away, beside itself over a file.
 *
 * @module
 */
import type { Generator } from "../../tools/bench/load/generator.ts";
import { freePort, Server } from "../../tools/bench/processes.ts";
import type {
  Contest,
  Round,
  Sample,
  Suite,
  Target,
} from "../../tools/bench/suite.ts";
import { TEST_TOKEN } from "../support/kv_connect/server.ts";
import { type Deed, DEEDS, isOfAgents, loadOf } from "./network_loads.ts";
import { runOauthLoad } from "./oauth_load.ts";
import type { BenchAgent, NetworkServerOptions } from "./network_server.ts";
import { temporaryFolder } from "./read_servers.ts";

/** To each process. */
const CONNECTIONS = 64;
const PROCESSES = 3;
const DELAYS_MS = [5, 20, 60];
/** Of each process; more than connections, since each asks one at a time. */
const AGENTS = 96;
/** How long clients have been reading who are called warm. */
const WARMING_SECONDS = 1;

const SERVER = new URL("./network_server.ts", import.meta.url).href;
const KV_CONNECT = new URL("../support/kv_connect/main.ts", import.meta.url);
const DIRECT = ["--direct", "true"];

/** A process of the service. */
interface Process {
  server: Server;
  authPort: number;
}

/** One line of the table. */
interface Line {
  name: string;
  processes: readonly Process[];
  deed: Deed;
  /** Time of a call of the store; null for a file. */
  delayMs: number | null;
}

function nameOf(deed: Deed, delayMs: number | null, processes = 1): string {
  const where = delayMs === null ? "file" : `${delayMs} ms`;
  return `${deed}, ${where}${
    processes === 1 ? "" : `, ${processes} processes`
  }`;
}

function rate(round: Round, name: string): number {
  return round.get(name)?.perSecond ?? NaN;
}

function journeys(deed: Deed, below: number): Target {
  return {
    name: `${deed} at 20 ms, p50 in journeys`,
    unit: "×",
    below,
    of: (round) => (round.get(nameOf(deed, 20))?.p50Ms ?? NaN) / 20,
  };
}

const TARGETS: readonly Target[] = [
  {
    name: "warm read at 20 ms / over a file",
    unit: "×",
    atLeast: 0.5,
    of: (round) =>
      rate(round, nameOf("warm read", 20)) /
      rate(round, nameOf("warm read", null)),
  },
  {
    name: "cold read at 20 ms",
    unit: "/s",
    atLeast: 2_000,
    of: (round) => rate(round, nameOf("cold read", 20)),
  },
  journeys("me", 2),
  journeys("bid", 4),
  {
    name: "cold read at 20 ms, 3 processes / 1",
    unit: "×",
    atLeast: 2,
    of: (round) =>
      rate(round, nameOf("cold read", 20, PROCESSES)) /
      rate(round, nameOf("cold read", 20)),
  },
];

/** Reads, questions and what agents do, near the store and far from it. */
export const network: Suite = {
  name: "network",
  title: "The service over a store that is a network away",
  inOwnNetwork: true,
  async prepare({ generator, seconds }, stack): Promise<Contest> {
    const kvUrl = await startKv(stack);
    const remote = await startProcesses(stack, PROCESSES, {
      KV_URL: kvUrl,
      DENO_KV_ACCESS_TOKEN: TEST_TOKEN,
    });
    const folder = await temporaryFolder(stack);
    const local = await startProcesses(stack, 1, { DATA_DIR: folder });
    const lines = linesOf(local, remote);
    const network = networks();
    return {
      async warmUp() {
        for (
          const line of lines.filter(({ delayMs }) => (delayMs ?? 5) === 5)
        ) {
          const agents = await agentsOf(line);
          await measure({
            line,
            agents,
            generator,
            seconds: 1,
            network: network(),
          });
        }
      },
      async playRound() {
        const round = new Map<string, Sample>();
        for (const line of lines) {
          await delay(kvUrl, 0);
          const agents = await agentsOf(line);
          await delay(kvUrl, line.delayMs ?? 0);
          const asked = { line, agents, generator, network: network() };
          if (line.deed === "warm read") {
            await measure({ ...asked, seconds: WARMING_SECONDS });
          }
          round.set(line.name, await measure({ ...asked, seconds }));
        }
        return round;
      },
      targets: TARGETS,
      notes: NOTES,
    };
  },
};

const NOTES = [
  `${CONNECTIONS} connections to each process; the store answers every call ` +
  "after so many milliseconds. It, the load and all processes share the CPUs.",
  "Warm: 1,024 clients of each process, who have been reading for a second; " +
  "cold: each address is one that nobody has seen. Agents have an account each.",
  "An answer that is not the expected one is not counted. CPU is that of the " +
  "service's processes for each answer.",
];

/** Two bytes for the addresses of each line, so that none is met twice. */
function networks(): () => string {
  let next = 0;
  return () => `10.${next++ % 250}`;
}

function linesOf(
  local: readonly Process[],
  remote: readonly Process[],
): Line[] {
  const stores = [
    { processes: local, delayMs: null },
    ...DELAYS_MS.flatMap((delayMs) => [
      { processes: remote.slice(0, 1), delayMs },
      { processes: remote, delayMs },
    ]),
  ];
  return DEEDS.flatMap((deed) =>
    stores.map(({ processes, delayMs }) => ({
      name: nameOf(deed, delayMs, processes.length),
      processes,
      deed,
      delayMs,
    }))
  );
}

/** What is asked, by what, for how long. */
interface Measured {
  line: Line;
  agents: readonly BenchAgent[];
  network: string;
  generator: Generator;
  seconds: number;
}

/** Each process is asked at once, and each agent by one process. */
async function measure(
  { line, agents, network, generator, seconds }: Measured,
): Promise<Sample> {
  const { name, processes, deed } = line;
  const share = Math.ceil(agents.length / processes.length);
  const beganCpuMs = cpuMsOf(processes);
  const parts = await Promise.all(
    processes.map(({ server, authPort }, nth) =>
      runOauthLoad(generator, {
        ...loadOf(deed, {
          port: server.port,
          authPort,
          agents: agents.slice(nth * share, (nth + 1) * share),
          network,
          nth,
        }),
        seconds,
        connections: CONNECTIONS,
      })
    ),
  );
  const answers = parts.reduce((sum, part) => sum + part.answers, 0);
  if (answers === 0) throw new Error(`Cannot measure ${name}: no good answer`);
  return {
    perSecond: parts.reduce(
      (sum, part) => sum + part.answers / part.seconds,
      0,
    ),
    p50Ms: Math.max(...parts.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...parts.map(({ p99Ms }) => p99Ms)),
    cpuUs: 1_000 * (cpuMsOf(processes) - beganCpuMs) / answers,
  };
}

function cpuMsOf(processes: readonly Process[]): number {
  return processes.reduce(
    (sum, { server }) => sum + (server.cpuMs() ?? NaN),
    0,
  );
}

async function agentsOf({ processes, deed }: Line): Promise<BenchAgent[]> {
  if (!isOfAgents(deed)) return [];
  const [first] = processes;
  const count = AGENTS * processes.length;
  const answer = await fetch(
    `http://localhost:${first?.authPort}/advertisers?count=${count}`,
  );
  return await answer.json();
}

async function startKv(stack: AsyncDisposableStack): Promise<string> {
  const port = freePort();
  stack.use(
    await Server.start({
      command: Deno.execPath(),
      args: ["run", "-A", KV_CONNECT.href, "--port", String(port), ...DIRECT],
      port,
      readyPath: "/_test/stats",
    }),
  );
  return `http://localhost:${port}`;
}

async function delay(kvUrl: string, ms: number): Promise<void> {
  const body = JSON.stringify({ readMs: ms, writeMs: ms });
  await (await fetch(`${kvUrl}/_test/settings`, { method: "POST", body }))
    .body?.cancel();
}

async function startProcesses(
  stack: AsyncDisposableStack,
  count: number,
  store: Record<string, string>,
): Promise<Process[]> {
  const secrets = crypto.randomUUID() + crypto.randomUUID();
  const started: Process[] = [];
  for (let nth = 0; nth < count; nth++) {
    const [port, authPort] = [freePort(), freePort()];
    const options: NetworkServerOptions = { port, authPort, secrets, store };
    const server = await Server.start({
      command: Deno.execPath(),
      args: ["run", "-A", "--unstable-kv", SERVER, JSON.stringify(options)],
      env: { DENO_KV_ACCESS_TOKEN: TEST_TOKEN },
      port,
      readyPath: "/healthz",
    });
    stack.use(server);
    started.push({ server, authPort });
  }
  return started;
}
