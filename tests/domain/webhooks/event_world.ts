import type { Services, Store } from "../../../domain/ports.ts";
import type { EventWork } from "../../../domain/webhooks/process_events.ts";
import type { WebhookHandler } from "../../../domain/webhooks/handlers.ts";
import { receiveEvent } from "../../../domain/webhooks/receive_event.ts";
import type { VerifiedEvent } from "../../../domain/webhooks/verifier.ts";
import type { WebhookEvent } from "../../../domain/webhooks/webhook_event.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import type { ManualClock } from "../../support/clock.ts";
import type { FaultRule } from "../../support/faults.ts";
import type { FaultyKv } from "../../support/faulty_kv.ts";
import type { TestStore } from "../../support/store.ts";
import { ManualTimer } from "../../support/timer.ts";

/** A verb that is told what to do and remembers what it was asked to look at. */
export class TestLook {
  readonly looks: string[] = [];
  /** Happens during a look; null does nothing. */
  during: ((objectId: string) => Promise<void> | void) | null = null;

  readonly look = async (_: Services, objectId: string): Promise<void> => {
    this.looks.push(objectId);
    await this.during?.(objectId);
  };
}

/** One process that receives events and looks into them. */
export interface EventProcess {
  work: EventWork;
  look: TestLook;
  timer: ManualTimer;
  kv: FaultyKv;
  receive(
    id: string,
    changes?: Partial<VerifiedEvent>,
  ): Promise<WebhookEvent | null>;
}

/** The world of one test. */
export interface EventWorld extends EventProcess, AsyncDisposable {
  clock: ManualClock;
  log: MemoryLog;
  testStore: TestStore;
  /** Another isolate over the same store, or the same after a restart. */
  another(faults?: readonly FaultRule[]): EventProcess;
  event(id: string): Promise<WebhookEvent>;
}

/** An event as the verifier makes it, `inv_1` was paid unless said. */
export function verifiedEvent(
  id: string,
  changes: Partial<VerifiedEvent> = {},
): VerifiedEvent {
  return {
    id,
    type: "invoice.paid",
    objectId: "inv_1",
    objectType: "invoice",
    createdAtMs: 0,
    livemode: false,
    ofConnectedAccount: false,
    ...changes,
  };
}

/** Opens a world without events; set-ups of cards have no verb in it. */
export async function openEventWorld(): Promise<EventWorld> {
  const world = await openBiddingWorld({ opened: false });
  const { testStore } = world;
  const log = new MemoryLog();
  const over = (store: Store, kv: FaultyKv): EventProcess => {
    const look = new TestLook();
    const timer = new ManualTimer();
    const services = { ...world.over(store), log };
    const handlers = handlersFor(look);
    return {
      work: { services, handlers, startTimer: timer.start },
      look,
      timer,
      kv,
      receive: (id, changes) =>
        receiveEvent(
          services,
          { handlers, livemode: false },
          verifiedEvent(id, changes),
        ),
    };
  };
  return {
    ...over(testStore.store, testStore.kv),
    clock: testStore.clock,
    log,
    testStore,
    another(faults) {
      const { store, kv } = testStore.another(faults);
      return over(store, kv);
    },
    async event(id) {
      const event = await testStore.store.webhookEvents.find(id);
      if (event === null) throw new Error(`Cannot find event "${id}"`);
      return event;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

function handlersFor({ look }: TestLook): WebhookHandler[] {
  return [
    { prefix: "invoice.", sync: look },
    { prefix: "payment_intent.", sync: look },
    { prefix: "setup_intent.", sync: null },
  ];
}
