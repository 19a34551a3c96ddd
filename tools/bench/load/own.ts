import { outputOf } from "../processes.ts";
import type { Generator, Load, LoadResult } from "./generator.ts";
import type { OwnResult } from "./own_client.ts";

const CLIENT = new URL("./own_client.ts", import.meta.url).href;

/** A generator that is always there: a Deno process over plain sockets. */
export const ownGenerator: Generator = {
  name: `own client, Deno ${Deno.version.deno}`,
  async run(load: Load): Promise<LoadResult> {
    const { statuses, ...times } = await askEach(load);
    let served = 0;
    let refused = 0;
    for (const [status, count] of Object.entries(statuses)) {
      if (Number(status) < 400) served += count;
      else refused += count;
    }
    return { served, refused, ...times };
  },
};

/** Asks as a generator does and tells how often each status was answered. */
export async function askEach(load: Load): Promise<OwnResult> {
  // An argument may not be as long as many paths are.
  const file = await Deno.makeTempFile({ prefix: "spotlight-bench-" });
  try {
    await Deno.writeTextFile(file, JSON.stringify(load));
    const text = await outputOf(Deno.execPath(), [
      "run",
      `--allow-net=127.0.0.1:${load.port}`,
      `--allow-read=${file}`,
      CLIENT,
      file,
    ]);
    return JSON.parse(text) as OwnResult;
  } finally {
    await Deno.remove(file);
  }
}
