import { assertEquals, assertThrows } from "@std/assert";
import { tarOf } from "../../../routes/http/tar.ts";
import { runProcess } from "../../support/captured_process.ts";

const FILES = [
  ["package/package.json", "{}\n"],
  ["package/empty.js", ""],
  ["package/api/words.js", "ä".repeat(700)],
  [`package/${"p".repeat(92)}`, "x".repeat(512)],
] as const;

Deno.test("tarOf() makes an archive that tar unpacks to the same files", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeFile(`${folder}/made.tar`, tarOf(FILES));
    const { code, stderr } = await runProcess({
      command: "tar",
      args: ["xf", "made.tar"],
      cwd: folder,
      printed: () => true,
    });
    assertEquals([code, stderr], [0, ""]);
    for (const [path, text] of FILES) {
      assertEquals(await Deno.readTextFile(`${folder}/${path}`), text);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("tarOf() makes the same of the same, and refuses a path that has no room", () => {
  assertEquals(tarOf(FILES), tarOf(FILES));
  assertThrows(() => tarOf([["p".repeat(101), ""]]));
});
