import { operatorOf } from "../../../domain/accounts/require_operator.ts";
import { actAs } from "../../../domain/audit/act_as.ts";
import { endKey } from "../../../domain/operator_keys/end_key.ts";
import { makeKey } from "../../../domain/operator_keys/make_key.ts";
import {
  KEY_DAYS,
  KEY_NAME,
  KEY_SCOPES,
  KEYS_KEPT_MAX,
  type OperatorKey,
} from "../../../domain/operator_keys/operator_key.ts";
import { refuse } from "../../../domain/refusal.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { operatorPage, type PageRequest } from "../pages/advertiser_page.ts";
import { doneNote } from "../pages/done_note.ts";
import { tokenOf } from "../pages/form_token.ts";
import { refusalOf } from "../pages/refusal_of.ts";
import { isFaulty, textFaults } from "../pages/text_faults.ts";
import { askThenAct, SENT_BEFORE, takeToken } from "./desk_act.tsx";
import {
  type KeyErrors,
  KeysPage,
  NewKeyPage,
  type TypedKey,
} from "./keys_page.tsx";
import { KEYS_PATH } from "./paths.ts";

const NOTES = {
  ...SENT_BEFORE,
  end: "The key has ended: whoever uses it is refused from now on.",
} as const;

const MADE_BEFORE = "This form was sent before. Where you have not copied " +
  "the key that it made, end that one and make another.";

const NOTHING: TypedKey = { name: "", scope: "read", days: "90" };

/** The keys of the operator API: `/operator/keys`. */
export function keysSurface(parts: AdvertiserParts): Surface {
  return operatorPage(parts, {
    path: KEYS_PATH,
    get: {
      [KEYS_PATH]: (request) =>
        showKeys(request, { note: doneNote(request, NOTES) }),
    },
    post: { [KEYS_PATH]: make, [`${KEYS_PATH}/:id/end`]: end },
    freshChanges: { fields: ["name", "scope", "days"] },
  });
}

async function showKeys(
  { services, show }: PageRequest,
  { note = null, error = null, typed = NOTHING, errors = {} }: {
    note?: string | null;
    error?: string | null;
    typed?: TypedKey;
    errors?: KeyErrors;
  },
  status = 200,
): Promise<Response> {
  const found = await services.store.listOperatorKeys({ limit: KEYS_KEPT_MAX });
  const keys = found.toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  const nowMs = services.clock.now();
  const token = services.ids.secret();
  const shown = { keys, nowMs, note, error, typed, errors, token };
  return show(<KeysPage {...shown} />, { status });
}

/** Makes a key once for each page: it is shown once, so a repeat shows none. */
async function make(request: PageRequest): Promise<Response> {
  const { services, account, accountId, show } = request;
  const form = await request.form();
  const scope = KEY_SCOPES.find((each) => each === form.text("scope")) ??
    NOTHING.scope;
  const typed = { name: form.text("name"), scope, days: form.text("days") };
  const wanted = { ...typed, days: daysOf(typed), accountId };
  const by = operatorOf(account, services.settings);
  const token = tokenOf(form);
  // As after another sign-in, through which no token goes.
  if (token === null) return await showKeys(request, { typed });
  const errors = errorsOf(typed);
  if (isFaulty(errors)) return await showKeys(request, { typed, errors }, 400);
  if (!await takeToken(request, token)) {
    return await showKeys(request, { note: MADE_BEFORE });
  }
  try {
    const { made, key } = await actAs(
      services,
      { by, act: "key.make", subject: null },
      (acting) => makeKey(acting, wanted),
    );
    return show(<NewKeyPage made={made} value={key} />);
  } catch (thrown) {
    const { message } = refusalOf(thrown, "invalid_input");
    return await showKeys(request, { error: `${message}.`, typed }, 400);
  }
}

/** How long the key is to be good; 0 where that is no number of days. */
function daysOf({ days }: TypedKey): number {
  return /^\d{1,3}$/.test(days) ? Number(days) : 0;
}

function errorsOf(typed: TypedKey): KeyErrors {
  const { min, max } = KEY_DAYS;
  const days = daysOf(typed);
  return {
    ...textFaults({ name: typed.name }, { name: KEY_NAME }),
    ...(days < min || days > max) &&
      { days: `Write a number of days from ${min} to ${max}.` },
  };
}

async function end(request: PageRequest): Promise<Response> {
  const { services, param } = request;
  const keyId = param("id");
  return await askThenAct(request, {
    form: await request.form(),
    ask: async () => questionOf(await services.store.operatorKeys.find(keyId)),
    order: { act: "key.end", subject: keyId },
    act: (acting) => endKey(acting, { keyId }),
    next: { path: KEYS_PATH, done: "end" },
  });
}

function questionOf(key: OperatorKey | null) {
  if (key === null) {
    return refuse({ code: "not_found", message: "Cannot find the key" });
  }
  return {
    title: "End the key",
    about: <bdi>{key.name}</bdi>,
    effect: "Whoever uses it is refused from then on. It can’t be undone; " +
      "another key can be made.",
    kind: "danger" as const,
    action: `${KEYS_PATH}/${key.id}/end`,
    fields: {},
    leave: KEYS_PATH,
  };
}
