import { ROOT } from "../../tools/own_modules.ts";
import { CapturedProcess } from "./captured_process.ts";

const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));

/**
 * Starts the service as `deno task start` does, with its permissions. Without
 * the task around it, the process can be ended.
 */
export function startByTask(
  env: Readonly<Record<string, string>>,
): CapturedProcess {
  const [, command = ""] = tasks.start.split("&& deno ");
  const folders = [env.DATA_DIR || ".data", env.BACKUP_TO ?? []].flat();
  const args = command.replaceAll('"$FOLDER"', folders.join()).split(" ");
  return new CapturedProcess({ args, env, cwd: ROOT });
}
