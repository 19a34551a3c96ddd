import { assertEquals } from "@std/assert";
import { endGroup, startGroup } from "../../tools/process_group.ts";

Deno.test("endGroup() ends what the process has started as well", async () => {
  const child = startGroup("sh", {
    args: ["-c", "(sleep 5; echo survived) & echo started; wait"],
    stdout: "piped",
  });
  let output = "";
  // It ends when nobody is left to write.
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += part;
    endGroup(child);
  }
  assertEquals(output, "started\n");
  assertEquals((await child.status).signal, "SIGKILL");
});
