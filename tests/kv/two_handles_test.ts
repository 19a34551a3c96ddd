import { assertEquals } from "@std/assert";
import { Contention } from "../../domain/failure.ts";
import { DEFAULT_PATIENCE } from "../../kv/guard.ts";
import { openTestStore } from "../support/store.ts";
import { jobRun } from "./records.ts";

Deno.test("two connections to one file lose no update and no answer", async () => {
  const directory = await Deno.makeTempDir();
  const options = { path: `${directory}/store`, patience: DEFAULT_PATIENCE };
  {
    await using first = await openTestStore(options);
    await using second = await openTestStore(options);
    const addOne = ({ store }: typeof first) =>
      store.transact(async (tx) => {
        const run = await tx.jobRuns.find("a");
        tx.jobRuns.save(jobRun("a", (run?.lastSuccessMs ?? 0) + 1));
      });
    const add = async (connection: typeof first) => {
      for (let n = 0; n < 25; n++) {
        // Far away, one of a thousand loses ten races on end: it wrote nothing.
        await addOne(connection).catch((failure) => {
          if (!(failure instanceof Contention)) throw failure;
          return addOne(connection);
        });
      }
    };
    await Promise.all([add(first), add(second)]);
    assertEquals((await first.store.jobRuns.find("a"))?.lastSuccessMs, 50);
  }
  await Deno.remove(directory, { recursive: true });
});
