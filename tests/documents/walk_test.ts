/** What readers paste out of the documents works as it stands on the page. */
import { assert } from "@std/assert";
import type { DevFile } from "../../tools/dev_file.ts";
import { Browser } from "../interop/support/browser.ts";
import { User } from "../interop/support/user.ts";
import { CapturedProcess, runProcess } from "../support/captured_process.ts";
import { DOCUMENT_PATHS, type Fence, fencesOf } from "../support/documents.ts";
import {
  assertAnswers,
  type Block,
  blockOf,
  isAlmostMidnight,
  outputsOf,
  scriptOf,
  today,
} from "../support/pasted_blocks.ts";
import { SecretBook } from "../support/secret_book.ts";
import { DevFolder } from "../tools/dev_service.ts";

function blocksOf(fences: readonly Fence[]): Block[] {
  return fences.filter(({ mark }) => mark === "run")
    .map(({ text }) => blockOf(text));
}

/** Where blocks are pasted: a folder of their own, and a keyboard. */
interface Desk {
  env: Record<string, string>;
  /** What is typed when the address of the consent has been printed. */
  answerConsent: (url: string) => Promise<string>;
}

/** Pastes the blocks into one shell and answers the output of each. */
async function paste(fences: readonly Fence[], desk: Desk): Promise<string[]> {
  const cwd = await Deno.makeTempDir({ prefix: "spotlight_paste_" });
  try {
    for (const { mark, text } of fences) {
      const name = /^file=(.+)$/.exec(mark)?.[1];
      if (name !== undefined) await Deno.writeTextFile(`${cwd}/${name}`, text);
    }
    const keyboard = `${cwd}/keyboard`;
    await runProcess({ command: "mkfifo", args: [keyboard] });
    const script = scriptOf(blocksOf(fences));
    const shell = new CapturedProcess({
      command: "bash",
      args: ["-c", `exec 2>&1 0<>'${keyboard}'\n${script}`],
      cwd,
      env: desk.env,
      printed: () => true,
    });
    if (/^read -r/m.test(script)) {
      const url = await shell.line((line) => line.includes("/authorize?"));
      const typed = await desk.answerConsent(url);
      await Deno.writeTextFile(keyboard, `${typed}\n`);
    }
    return outputsOf((await shell.ended).stdout);
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}

/** A person of the demo data, who says yes to everything. */
function personOf(file: DevFile): User {
  const { base_url: baseUrl, auth_url: authUrl, outbox_url } = file;
  const book = new SecretBook();
  const browser = new Browser(book, [baseUrl, authUrl]);
  const email = file.accounts[0]?.email ?? "";
  return new User({
    book,
    browser,
    baseUrl,
    email,
    async readMail(to) {
      const headers = { accept: "application/json" };
      const { mails }: { mails: { to: string; text: string }[] } =
        await (await fetch(outbox_url, { headers })).json();
      return mails.find((mail) => mail.to === to)?.text ?? "";
    },
  });
}

Deno.test("every request of the published documents runs as pasted", {
  ignore: isAlmostMidnight(),
}, async (t) => {
  await using folder = await DevFolder.make({ AUCTION_CLOSES_AT: "23:59" });
  const file = await folder.start();
  const day = today();
  const person = personOf(file);
  let count = 0;
  for (const path of DOCUMENT_PATHS) {
    const served = await (await fetch(`${file.base_url}${path}`)).text();
    const fences = fencesOf(served);
    const outputs = await paste(fences, {
      env: { DATA_DIR: folder.dataDir, TODAY: day },
      answerConsent: async (url) => String(await person.authorize(url)),
    });
    for (const [at, block] of blocksOf(fences).entries()) {
      count += block.fragments.length;
      const [first = ""] = block.commands.split("\n");
      await t.step(`${path} ${at + 1}: ${first.slice(0, 50)}`, () => {
        assertAnswers(outputs[at] ?? "", block);
      });
    }
  }
  assert(count > 30, `${count} answers are looked at`);
});
