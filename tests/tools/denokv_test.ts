import { assertEquals } from "@std/assert";
import { denokvPath } from "../../tools/denokv.ts";
import { ROOT } from "../../tools/own_modules.ts";
import { NETWORKED_RUNS } from "../../tools/networked_runs.ts";

Deno.test("denokvPath() finds denokv on the PATH, then in the cache, and no folder of that name", async () => {
  const folder = await Deno.makeTempDir({ prefix: "denokv_" });
  try {
    const env = {
      PATH: `${folder}/none:${folder}/path`,
      XDG_CACHE_HOME: folder,
      HOME: `${folder}/home`,
    };
    await Deno.mkdir(`${folder}/path/denokv`, { recursive: true });
    await Deno.mkdir(`${folder}/denokv/bin`, { recursive: true });
    assertEquals(await denokvPath(env), null);
    await Deno.writeTextFile(`${folder}/denokv/bin/denokv`, "");
    assertEquals(await denokvPath(env), `${folder}/denokv/bin/denokv`);
    await Deno.remove(`${folder}/path/denokv`);
    await Deno.writeTextFile(`${folder}/path/denokv`, "");
    assertEquals(await denokvPath(env), `${folder}/path/denokv`);
    assertEquals(await denokvPath({ HOME: `${folder}/home` }), null);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("every test that is to run over a network is there", async () => {
  for (const { files } of NETWORKED_RUNS.flat()) {
    for (const file of files) {
      assertEquals((await Deno.stat(ROOT + file)).isFile, true, file);
    }
  }
});
