import type { EventLog } from "../../domain/events/event.ts";
import { createEventWaits } from "../../domain/events/event_waits.ts";
import type { EventWaits } from "../../domain/events/waits.ts";
import { type AgentApi, openAgentApi } from "./agent_api.ts";
import type { Agent } from "./bidding_world.ts";
import { ManualTimer } from "./timer.ts";
import { until } from "./until.ts";

const scopes = ["account:read", "reports:read"] as const;
/** Asks and waits. */
export const WAIT = "/v1/agent/events?wait=25";
/** How long {@linkcode WaitingApi.wait} waits. */
export const WAIT_MS = 25_000;

/** The agent API of a process whose timers are told, with an agent. */
export interface WaitingApi extends AsyncDisposable {
  api: AgentApi;
  timer: ManualTimer;
  stopping: AbortController;
  ada: Agent;
  /** Begins a request that waits. */
  // deno-lint-ignore no-explicit-any -- tests compare what they expect of it
  wait(): Promise<{ answered: Promise<{ status: number; body: any }> }>;
}

/** Opens it; what its store commits wakes who waits. */
export async function openWaitingApi(): Promise<WaitingApi> {
  const timer = new ManualTimer();
  const stopping = new AbortController();
  let waits: EventWaits | null = null;
  const onEventsNoted = (logs: readonly EventLog[]) =>
    waits?.wake(logs.map(({ accountId }) => accountId));
  const api = await openAgentApi(
    { hooks: { onEventsNoted } },
    ({ services }) => {
      waits = createEventWaits({
        store: services.store,
        startTimer: timer.start,
        log: services.log,
        stopping: stopping.signal,
      });
      return { eventWaits: waits };
    },
  );
  const ada = await api.world.agent("ada", { scopes });
  return {
    api,
    timer,
    stopping,
    ada,
    async wait() {
      const answered = api.ask(WAIT, { as: ada }).then(async (answer) => ({
        status: answer.status,
        body: await answer.json(),
      }));
      await until(() => timer.waiting.includes(WAIT_MS));
      return { answered };
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}
