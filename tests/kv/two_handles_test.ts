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
      for (let done = 0, lost = 0; done < 25;) {
        try {
          await addOne(connection);
          done++;
        } catch (failure) {
          // Far away, some lose ten races on end: those wrote nothing.
          if (!(failure instanceof Contention) || ++lost > 25) throw failure;
        }
      }
    };
    await Promise.all([add(first), add(second)]);
    assertEquals((await first.store.jobRuns.find("a"))?.lastSuccessMs, 50);
  }
  await Deno.remove(directory, { recursive: true });
});
