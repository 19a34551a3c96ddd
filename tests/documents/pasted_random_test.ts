/** What a pasted command makes at random may begin with any letter, a dash too. */
import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { runProcess } from "../support/captured_process.ts";

const GUIDE = new URL("../../docs/auth.md", import.meta.url);

Deno.test("the challenge of a verifier that begins with a dash is made, and no option of Node.js", async () => {
  const text = await Deno.readTextFile(GUIDE);
  const [command] = /^CHALLENGE=\$\([^]*?\n.*\)$/m.exec(text) ?? [];
  assert(command !== undefined, "the guide makes a challenge");
  const verifier = "-pkce0123456789";
  const { stdout, code } = await runProcess({
    command: "bash",
    args: ["-c", `VERIFIER=${verifier}\n${command}\necho "$CHALLENGE"`],
    env: {},
    printed: () => true,
  });
  assertEquals(code, 0);
  const wanted = createHash("sha256").update(verifier).digest("base64url");
  assertEquals(stdout.trim(), wanted);
});
