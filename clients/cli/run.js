// @ts-check
import { parseArgs } from "node:util";
import { NotReached, Refused } from "../api/client.js";
import { milliseconds, wrong } from "./command.js";
import { ads } from "./commands/ads.js";
import { ask } from "./commands/ask.js";
import { bid } from "./commands/bid.js";
import { bids } from "./commands/bids.js";
import { login } from "./commands/login.js";
import { logout } from "./commands/logout.js";
import { me } from "./commands/me.js";
import { report } from "./commands/report.js";
import { watch } from "./commands/watch.js";
import { HOME } from "./home.js";
import { inOwnWords } from "./own_words.js";
import { Printer } from "./print.js";
import { STARTED } from "./started.js";
import { EXIT, OnlyWritten, Stop } from "./stop.js";

/**
 * @typedef {import("./command.js").Command} Command
 */

/** @type {Readonly<Record<string, Command>>} */
const COMMANDS = { login, logout, me, ads, bid, bids, watch, report, ask };

/** @type {Command["options"]} */
const OPTIONS = {
  url: [
    "string",
    `the service's website; SPOTLIGHT_URL, or ${HOME ?? "the last login's"}`,
  ],
  json: ["boolean", "prints JSON, one value a line"],
  "time-limit": [
    "string",
    "seconds to wait for an answer, such as 0.5; 15 unless told",
  ],
};

/**
 * Runs a command and answers what the process ends with.
 *
 * @param {string[]} args
 * @returns {Promise<number>}
 */
export async function run(args) {
  const printer = new Printer(args.includes("--json"));
  try {
    const [name = "", ...others] = commandFirst(args);
    if (name === "help" || args.includes("--help")) {
      new Printer(false).result(null, helpLines());
      return EXIT.done;
    }
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw wrong(`There is no command "${name}"`);
    const { values, words } = parse(command, others);
    const limit = values["time-limit"];
    await command.run({
      values,
      words,
      printer,
      where: {
        url: /** @type {string | undefined} */ (values.url),
        timeLimitMs: limit === undefined
          ? undefined
          : milliseconds(limit, "--time-limit"),
      },
    });
    return EXIT.done;
  } catch (thrown) {
    const stop = stopOf(thrown);
    printer.stopped(stop);
    return stop.exit;
  }
}

/**
 * The words with the command before the options of every command, which may
 * stand on either side of it.
 *
 * @param {readonly string[]} args
 */
function commandFirst(args) {
  let at = 0;
  for (; args[at]?.startsWith("--"); at++) {
    const [name = "", value] = args[at]?.slice(2).split("=", 2) ?? [];
    const [type] = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] ?? [] : [];
    if (type === undefined && name !== "help") {
      throw wrong(`"--${name}" is no option of every command: name one first`);
    }
    if (type === "string" && value === undefined) at++;
  }
  const [name = "help", ...others] = args.slice(at);
  return [name, ...args.slice(0, at), ...others];
}

/**
 * @param {Command} command
 * @param {string[]} args
 */
function parse({ options, wordsMax }, args) {
  const all = Object.entries({ ...options, ...OPTIONS });
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: Object.fromEntries(
        all.map(([name, [type]]) => [name, { type }]),
      ),
    });
  } catch (thrown) {
    throw wrong(/** @type {Error} */ (thrown).message);
  }
  const { values, positionals: words } = parsed;
  const extra = words[wordsMax];
  if (extra !== undefined) throw wrong(`"${extra}" is one word too many`);
  return {
    values: /** @type {import("./command.js").Values} */ (values),
    words,
  };
}

/**
 * Why a command ended, as a sentence with what to do.
 *
 * @param {unknown} thrown
 */
function stopOf(thrown) {
  if (thrown instanceof Stop) return thrown;
  if (thrown instanceof OnlyWritten) return afterWriting(thrown);
  if (thrown instanceof NotReached) {
    return new Stop(EXIT.notReached, thrown.message, {
      advice: "Check the address and the network, and run it again.",
    });
  }
  if (thrown instanceof Refused) return refusal(thrown);
  throw thrown;
}

/**
 * Why only the first half was done, with what does the second one.
 *
 * @param {OnlyWritten} half
 * @returns {Stop}
 */
function afterWriting({ adId, goOn, message: done, cause }) {
  const { exit, code, message, advice } = stopOf(cause);
  // The whole is sent again with its key, which writes nothing twice.
  if (exit === EXIT.uncertain) {
    const written = `${adId} is written, as a draft. ${message}`;
    return new Stop(exit, written, { code, adId, ...advice && { advice } });
  }
  const then = `${advice === null ? "" : `${advice} `}Then have this draft ` +
    `reviewed, without writing it again: ${goOn}`;
  return new Stop(exit, `${done}. ${message}`, { code, adId, advice: then });
}

/** @param {Refused} refused */
function refusal(refused) {
  const { status, code, actionUrl, retryAfterS } = refused;
  const message = inOwnWords(refused.message);
  const wait = `Run it again in ${retryAfterS ?? 5} seconds.`;
  const say = (
    /** @type {number} */ exit,
    /** @type {string | undefined} */ advice,
  ) => new Stop(exit, message, { code, ...advice !== undefined && { advice } });
  if (status === 401) {
    return say(EXIT.signIn, `Run \`${STARTED} login\` and approve it again.`);
  }
  if (status === 429 || status >= 500) return say(EXIT.notReached, wait);
  if (actionUrl !== null) {
    return say(
      EXIT.refused,
      `What a person has to do is on the website, at ${actionUrl}.`,
    );
  }
  return say(EXIT.refused, ADVICE[code ?? ""]);
}

/** @type {Readonly<Record<string, string>>} */
const ADVICE = {
  "agent.scope-missing":
    `Run \`${STARTED} login --scope "…"\` with what is missing, and allow it.`,
  "agent.mandate-exceeded":
    `Bid less, or run \`${STARTED} login\` and allow more.`,
  "agent.mandate-expired":
    `Run \`${STARTED} login\` and set new spending limits.`,
  CONFLICT:
    `\`${STARTED} me\` with --day, --ad and --cents says what would stand.`,
};

function helpLines() {
  const commands = Object.values(COMMANDS).flatMap((
    { usage, does, options },
  ) => [
    `  ${usage.padEnd(24)}${does}`,
    ...optionLines(options),
  ]);
  return [
    "spotlight: one advertisement a day, chosen by an auction",
    "",
    `Usage: ${STARTED} COMMAND [options]`,
    "",
    "Commands:",
    ...commands,
    "",
    "Options of every command, before or after it:",
    ...optionLines(OPTIONS),
    "",
    "Ends with 0 done, 1 refused, 2 not understood, 3 not connected,",
    "4 no answer, 5 a bid or a change whose outcome is not known.",
  ];
}

/** @param {Command["options"]} options */
function optionLines(options) {
  return Object.entries(options).map(([name, [type, does]]) => {
    const option = `--${name}${type === "string" ? " …" : ""}`;
    return `    ${option.padEnd(22)}${does}`;
  });
}
