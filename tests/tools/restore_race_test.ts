import { assertEquals } from "@std/assert";
import { dump } from "../../kv/dump.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { restore, type RestoreOptions } from "../../tools/restore_backup.ts";
import { TEST_KEYS } from "../support/keys.ts";
import { assertRefused } from "../support/refused.ts";
import { openTestStore, type TestStore } from "../support/store.ts";

/** A backup of a store with one row. */
async function backupWith(name: string): Promise<string> {
  await using from = await openTestStore();
  const atomic = from.realKv.atomic();
  atomic.set(["row", name], name);
  await atomic.commit();
  return await new Response(dump(from.realKv, { keys: TEST_KEYS })).text();
}

function into({ clock }: TestStore, kv: KvLike, text: string): RestoreOptions {
  const open = () => new Blob([text]).stream();
  return { kv, clock, open, keys: TEST_KEYS };
}

/** A store whose commits wait for something. */
function beforeCommit(kv: KvLike, wait: () => Promise<void>): KvLike {
  return new Proxy(kv, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      if (name !== "atomic") return member.bind(target);
      return () => {
        const atomic = target.atomic();
        const commit = atomic.commit.bind(atomic);
        atomic.commit = async () => {
          await wait();
          return await commit();
        };
        return atomic;
      };
    },
  });
}

Deno.test("restore() does not begin over one that began and ended since the store was found empty", async () => {
  await using to = await openTestStore();
  const first = into(to, to.realKv, await backupWith("first"));
  let overtaking: Promise<unknown> | null = null;
  const late = beforeCommit(to.realKv, async () => {
    await (overtaking ??= restore(first));
  });
  const text = await backupWith("late");
  await assertRefused(() => restore(into(to, late, text)), "store_not_empty");
  const rows = await Array.fromAsync(to.realKv.list({ prefix: ["row"] }));
  assertEquals(rows.map(({ value }) => value), ["first"]);
});
