import { ROOT } from "../own_modules.ts";

/** A copy of the project that may be changed, and is gone afterwards. */
export interface PrivateCopy extends AsyncDisposable {
  write(file: string, source: string): Promise<void>;
  /** Whether `deno` succeeds there, silently and within the time limit. */
  succeeds(args: readonly string[], limitMs: number): Promise<boolean>;
}

/** Copies the project as it is, changes that are not committed included. */
export async function privateCopy(): Promise<PrivateCopy> {
  const folder = await Deno.makeTempDir({ prefix: "spotlight-mutate-" });
  const names = [...Deno.readDirSync(ROOT)].map(({ name }) => name)
    .filter((name) => !name.startsWith("."));
  const { success } = await new Deno.Command("cp", {
    args: ["-R", ...names, folder],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error(`Cannot copy the project to ${folder}`);
  // A name that a change leaves unused is no reason not to compile it.
  const config = await Deno.readTextFile(`${folder}/deno.json`);
  await Deno.writeTextFile(
    `${folder}/deno.json`,
    config.replaceAll(/("noUnused\w+": )true/g, "$1false"),
  );
  return {
    write: (file, source) => Deno.writeTextFile(`${folder}/${file}`, source),
    async succeeds(args, limitMs) {
      const { success } = await new Deno.Command(Deno.execPath(), {
        args: [...args],
        cwd: folder,
        env: { TMPDIR: folder },
        stdout: "null",
        stderr: "null",
        signal: AbortSignal.timeout(limitMs),
      }).output();
      return success;
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
