import { assertEquals } from "@std/assert";
import { everyRecord, untilNone } from "../../domain/every_record.ts";

Deno.test("everyRecord() reads pages behind each other, to the one that is empty", async () => {
  const all = [1, 2, 3, 4, 5];
  const asked: [number | null, number][] = [];
  const read = (after: number | null, limit: number) => {
    asked.push([after, limit]);
    return Promise.resolve(
      all.filter((each) => each > (after ?? 0))
        // A page may be short of what it was asked for.
        .slice(0, limit - 1),
    );
  };
  assertEquals(await Array.fromAsync(everyRecord(read, 3)), all);
  assertEquals(asked, [[null, 3], [2, 3], [4, 3], [5, 3]]);
});

Deno.test("everyRecord() reads no page ahead of who takes the records", async () => {
  let pages = 0;
  const read = () => {
    pages += 1;
    return Promise.resolve(["a", "b"]);
  };
  for await (const each of everyRecord(read)) {
    if (each === "b") break;
  }
  assertEquals(pages, 1);
});

Deno.test("untilNone() lists anew after each page, and finds what came meanwhile", async () => {
  const left = [1, 2, 3];
  const pages: number[][] = [];
  await untilNone(
    (limit) => Promise.resolve(left.slice(0, limit)),
    (page) => {
      pages.push([...page]);
      left.splice(0, page.length);
      if (pages.length === 1) left.push(4);
      return Promise.resolve();
    },
    2,
  );
  assertEquals(pages, [[1, 2], [3, 4]]);
});
