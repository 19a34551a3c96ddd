// @ts-check
import { randomUUID } from "node:crypto";
import { wrong } from "../command.js";
import { accountClient } from "../session.js";
import { OnlyWritten } from "../stop.js";
import { quoted, STARTED } from "../started.js";
import { isReplay, untilAnswered } from "../writes.js";
import { draftOf } from "./draft_of.js";

/** What an advertisement consists of, by the option that gives it. */
const COPY = /** @type {const} */ ({
  headline: "headline",
  description: "description",
  target: "target_url",
});

/**
 * @typedef {import("../../generated/types.d.ts").Creative} Creative
 * @typedef {import("../../generated/types.d.ts").CreateCreative} Copy
 * @typedef {import("../command.js").Given} Given
 * @typedef {import("../session.js").Client} Client
 */

/** @type {import("../command.js").Command} */
export const ads = {
  usage: "ads [AD | new]",
  wordsMax: 1,
  does: "lists your advertisements; shows one, changes it or writes a new one",
  options: {
    headline: ["string", "what it is headed with"],
    description: ["string", "what it says"],
    target: ["string", "the https address that it leads to"],
    submit: ["boolean", "has it reviewed, so that you can bid with it"],
    key: ["string", "the key of a change whose outcome is not known"],
    cursor: ["string", "where a list goes on"],
  },
  async run(given) {
    const { words: [name], values, printer, where } = given;
    const copy = copyOf(values);
    const isChange = Object.keys(copy).length > 0 || values.submit === true;
    if (name === undefined && isChange) {
      throw wrong("No advertisement is named: its id, or new");
    }
    const isNew = name === "new";
    if (isNew && Object.keys(copy).length < Object.keys(COPY).length) {
      throw wrong("It takes --headline, --description and --target");
    }
    const client = await accountClient(where);
    if (name === undefined) return await list(client, given);
    const ad = isChange
      ? await change(client, given, copy)
      : await client.call("readCreative", { path: { id: name } });
    printer.result(ad, linesOf(ad));
  },
};

/**
 * @param {import("../command.js").Values} values
 * @returns {Partial<Copy>}
 */
function copyOf(values) {
  return Object.fromEntries(
    Object.entries(COPY).flatMap(([option, member]) =>
      values[option] === undefined ? [] : [[member, String(values[option])]]
    ),
  );
}

/**
 * @param {Client} client
 * @param {Given} given
 */
async function list(client, { values: { cursor }, printer }) {
  const page = await client.call("listCreatives", {
    query: cursor === undefined ? {} : { cursor: String(cursor) },
  });
  const { items, next_cursor: next } = page;
  printer.result(page, [
    ...items.map(({ ad_id, state, headline }) =>
      `${ad_id}  ${state.padEnd(9)}  ${headline}`
    ),
    ...items.length === 0
      ? [
        `You have written none: ${STARTED} ads new --headline … ` +
        "--description … --target https://…",
      ]
      : [],
    ...next === null ? [] : [`There are more: ${STARTED} ads --cursor ${next}`],
  ]);
}

/**
 * Writes what was asked for, and submits it where that was asked for too. Each
 * has a key of its own, so that the whole can be sent again. An answer of
 * earlier tells of then: what it is now is read.
 *
 * @param {Client} client
 * @param {Given} given
 * @param {Partial<Copy>} copy
 */
async function change(client, { words: [name = ""], values, printer }, copy) {
  const key = String(values.key ?? randomUUID());
  const given = { what: "it was changed", again: again(name, values, key) };
  const isNew = name === "new" && values.key === undefined;
  const draft = isNew ? await draftOf(client, copy) : null;
  let id = draft?.ad_id ?? name;
  let last;
  if (draft !== null) {
    printer.note(`${id} is a draft of these very words: no second is written.`);
  } else if (Object.keys(copy).length > 0) {
    const send = () => write(client, name, copy, key);
    last = await untilAnswered(send, printer, given);
    id = last.body.ad_id;
  }
  if (values.submit === true) {
    const isWritten = draft !== null || last !== undefined;
    const send = () => submit(client, id, key);
    last = await untilAnswered(send, printer, given).catch((thrown) => {
      throw isWritten ? onlyWritten(id, thrown) : thrown;
    });
  }
  if (last === undefined && draft !== null) return draft;
  if (last !== undefined && !isReplay(last)) return last.body;
  printer.note(
    values.key === undefined
      ? "The first try had gone through, and only its answer was lost: " +
        "nothing was done twice. This is how it is now."
      : "This key was answered before. This is how it is now.",
  );
  return await client.call("readCreative", { path: { id } });
}

/**
 * @param {Client} client
 * @param {string} id
 * @param {string} key that of the whole command
 */
function submit(client, id, key) {
  const headers = { "Idempotency-Key": `${key}-submit` };
  return client.answer("submitCreative", { headers, path: { id } });
}

/**
 * @param {string} id
 * @param {unknown} thrown why it was not submitted
 */
function onlyWritten(id, thrown) {
  return new OnlyWritten(id, `${STARTED} ads ${id} --submit`, thrown);
}

/**
 * @param {Client} client
 * @param {string} name
 * @param {Partial<Copy>} copy
 * @param {string} key
 */
function write(client, name, copy, key) {
  const headers = { "Idempotency-Key": key };
  return name === "new"
    ? client.answer("createCreative", {
      headers,
      body: /** @type {Copy} */ (copy),
    })
    : client.answer("updateCreative", {
      headers,
      path: { id: name },
      body: copy,
    });
}

/**
 * The same command with its key, as it is typed in a shell.
 *
 * @param {string} name
 * @param {import("../command.js").Values} values
 * @param {string} key
 */
function again(name, values, key) {
  const options = Object.keys(COPY).flatMap((option) =>
    values[option] === undefined
      ? []
      : [`--${option}`, quoted(String(values[option]))]
  );
  const submit = values.submit === true ? ["--submit"] : [];
  const words = [quoted(name), ...options, ...submit, "--key", quoted(key)];
  return `${STARTED} ads ${words.join(" ")}`;
}

/** What can be done with an advertisement in each state, of this id. */
const NEXT = {
  draft: (/** @type {string} */ id) => [
    `Have it reviewed: ${STARTED} ads ${id} --submit`,
  ],
  submitted: (/** @type {string} */ id) => [
    "It waits for review, usually within a day.",
    `See how it stands: ${STARTED} ads ${id}`,
  ],
  approved: (/** @type {string} */ id) => [
    `Bid with it: ${STARTED} bid --ad ${id} --cents …`,
  ],
  rejected: (/** @type {string} */ id) => [
    "Mend it, which makes a new version with an id of its own: " +
    `${STARTED} ads ${id} --headline … --submit`,
  ],
  archived: () => ["It is archived: nobody can bid with it."],
};

/** @param {Creative} ad */
function linesOf(ad) {
  const { ad_id, headline, description, target_url, state, rejection } = ad;
  const { revises, revised_by: newer } = ad;
  return [
    `${ad_id}: ${state}` +
    (revises === null ? "" : `, a new version of ${revises}`),
    `  ${headline}`,
    `  ${description}`,
    `  ${target_url}`,
    ...rejection === null ? [] : [
      `Turned down by the policy ${rejection.policy_id}: ${rejection.message}`,
      rejection.remedy,
    ],
    ...newer === null
      ? NEXT[state](ad_id)
      : [`There is a newer version: ${STARTED} ads ${newer}`],
  ];
}
