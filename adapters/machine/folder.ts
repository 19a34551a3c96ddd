import { stat, statfs } from "node:fs/promises";
import { type Finding, trouble, well } from "../../domain/doctor/finding.ts";

const DATA = "DATA_DIR";
const STORE = "store file";
/** Below it commits may fail within days, bytes. */
const SPACE_MIN = 1024 ** 3;
const OTHERS = 0o077;

/** Whether the folder has space, and what is in it is for its owner alone. */
export async function checkFolder(folder: string): Promise<Finding[]> {
  try {
    return [spaceOf(await statfs(folder)), await privacyOf(folder)];
  } catch {
    return [
      trouble(DATA, `There is no folder ${folder}, or it can't be read.`),
    ];
  }
}

function spaceOf({ bavail, bsize }: { bavail: number; bsize: number }) {
  const gib = (bytes: number) => `${(bytes / SPACE_MIN).toFixed(1)} GiB`;
  const free = bavail * bsize;
  return free < SPACE_MIN
    ? trouble(DATA, `Only ${gib(free)} are free: make room.`)
    : well(DATA, `${gib(free)} are free.`);
}

async function privacyOf(folder: string): Promise<Finding> {
  const path = `${folder}/spotlight.sqlite3`;
  try {
    const { mode } = await stat(path);
    return (mode & OTHERS) === 0
      ? well(STORE, "Only its owner can read it.")
      : trouble(STORE, `Others can read it: chmod 600 ${path}*`);
  } catch {
    return well(STORE, "There is none yet.");
  }
}
