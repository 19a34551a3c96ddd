/**
 * Short bodies that stop in the middle, over HTTP/2, where one connection has
 * hundreds of requests: what they keep in memory is bounded, and others are
 * answered meanwhile.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { REQUEST_COST } from "../../routes/http/body_pieces.ts";
import { AHEAD_BOUNDS } from "../../routes/http/body_rooms.ts";
import { WHOLE_READS_MAX } from "../../routes/http/body_waits.ts";
import { Http2Client, type StalledStream } from "../support/http2_client.ts";
import { type RunningService, runService } from "../support/running_service.ts";
import { ManualTimer } from "../support/timer.ts";
import { until } from "../support/until.ts";

/** What a connection may have open at a time. */
const STREAMS = 190;

/** So many that are read piece by piece are waited for, of a network. */
const WAITED_FOR = Math.floor(AHEAD_BOUNDS.network / REQUEST_COST);

interface Crowd {
  /** Sends so many more requests whose last byte is missing. */
  stall(count: number): StalledStream[];
  cut(): void;
}

function crowdAt({ config }: RunningService, address: string): Crowd {
  const { host, port } = new URL(config.settings.authUrl);
  const clients: Http2Client[] = [];
  return {
    stall(count) {
      const streams: StalledStream[] = [];
      for (let left = count; left > 0; left -= STREAMS) {
        const client = new Http2Client(Number(port));
        clients.push(client);
        for (let n = 0; n < Math.min(left, STREAMS); n++) {
          streams.push(client.stall({
            ":method": "POST",
            ":path": "/webhooks/stripe",
            ":authority": host,
            "content-type": "application/json",
            "content-length": "400",
            "x-forwarded-for": address,
          }, "a".repeat(399)));
        }
      }
      return streams;
    },
    cut: () => clients.forEach((client) => client.cut()),
  };
}

function answered(
  streams: readonly StalledStream[],
): readonly StalledStream[] {
  return streams.filter(({ status }) => status !== null);
}

/** Sends a notification that is there whole, and signed by nobody. */
async function notify(
  { config }: RunningService,
  address = "198.51.100.7",
): Promise<number> {
  const { authUrl } = config.settings;
  const answer = await fetch(`${authUrl}/webhooks/stripe`, {
    method: "POST",
    headers: { "x-forwarded-for": address },
    body: "{}",
  });
  await answer.body?.cancel();
  return answer.status;
}

Deno.test("of one network's short bodies that stop some thousand are waited for, and others are answered", async () => {
  const timer = new ManualTimer();
  const bodyTime = { nowMs: () => 0, startTimer: timer.start };
  await using running = await runService({
    bodyTime,
    env: { TRUSTED_PROXY_HOPS: "1" },
  });
  const crowd = crowdAt(running, "192.0.2.1");
  const streams = crowd.stall(WHOLE_READS_MAX + 700);
  await until(() => answered(streams).length >= 380);
  const refused = answered(streams);
  assert(refused.every(({ status }) => status === 503));
  assertEquals(await notify(running), 400);
  assertEquals(answered(streams).length, 380);
  crowd.cut();
});

Deno.test("what a network's short bodies keep that stopped is counted until their connection ends, also once they are answered", async () => {
  const timer = new ManualTimer();
  let nowMs = 0;
  const bodyTime = { nowMs: () => nowMs, startTimer: timer.start };
  await using running = await runService({
    bodyTime,
    env: { TRUSTED_PROXY_HOPS: "1" },
  });
  const crowd = crowdAt(running, "192.0.2.1");
  const outwait = (streams: readonly StalledStream[]) =>
    until(() => {
      nowMs += 30_000;
      timer.fire(30_000);
      return answered(streams).length === streams.length;
    });
  await outwait(crowd.stall(WHOLE_READS_MAX));
  await outwait(crowd.stall(WAITED_FOR));
  const more = crowd.stall(10);
  await until(() => answered(more).length === 10);
  assert(more.every(({ status }) => status === 503));
  assertEquals(await notify(running), 400);
  crowd.cut();
  await until(async () => await notify(running, "192.0.2.1") !== 503);
});
