import type { Generator, Load } from "./load/generator.ts";
import type { Server } from "./processes.ts";
import type { Round, Sample } from "./suite.ts";

/** A line of the table: what is asked of which server. */
export interface Contender {
  name: string;
  server: Server;
  load: Load;
}

/**
 * Plays rounds in which every line is measured once. Who comes first is at a
 * small disadvantage, so lines take turns in it.
 */
export function inTurns<C extends { name: string }>(
  contenders: readonly C[],
  measure: (contender: C, round: number) => Promise<Sample>,
): () => Promise<Round> {
  let rounds = 0;
  return async function playRound() {
    const round = rounds++;
    const start = round * 2 % contenders.length;
    // The table has them in their own order.
    const samples = new Map<string, Sample>(
      contenders.map(({ name }) => [name, { perSecond: NaN }]),
    );
    const order = [...contenders.slice(start), ...contenders.slice(0, start)];
    for (const each of order) {
      samples.set(each.name, await measure(each, round));
    }
    return samples;
  };
}

/**
 * Runs a load and says what it came to, answers of the kind that is measured
 * alone.
 *
 * @throws when more than one in a hundred is of the other kind
 */
export async function measureLoad(
  { name, server, load }: Contender,
  generator: Generator,
  measured: "served" | "refused",
): Promise<Sample> {
  const before = server.cpuMs();
  const result = await generator.run(load);
  const after = server.cpuMs();
  const { served, refused, seconds, p50Ms, p99Ms } = result;
  const all = served + refused;
  if (all - result[measured] > all / 100) {
    throw new Error(
      `Cannot measure ${name}: ${all - result[measured]} of ${all} answers ` +
        "were not what is measured",
    );
  }
  const cpuUs = before === null || after === null
    ? undefined
    : (after - before) * 1_000 / all;
  return {
    perSecond: result[measured] / seconds,
    p50Ms,
    p99Ms,
    ...cpuUs !== undefined && { cpuUs },
  };
}
