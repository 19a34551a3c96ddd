/**
 * What is done on the page of an agent's webhook.
 *
 * @module
 */
import { replayEvent } from "../../../domain/callbacks/replay_event.ts";
import {
  findCallback,
  setCallback,
} from "../../../domain/callbacks/set_callback.ts";
import { isOver } from "../../../domain/oauth/grant_state.ts";
import { refuse, Refused } from "../../../domain/refusal.ts";
import { CALLBACK_URL_MAX } from "../../shapes/callback_body.ts";
import type { PageRequest } from "../pages/advertiser_page.ts";
import { doneNote, sayDone } from "../pages/done_note.ts";
import { keepForms, type KeptForm } from "../pages/kept_form.tsx";
import { WebhookPage, webhookPath, type WebhookView } from "./webhook_page.tsx";

const NOTES = {
  saved: "The webhook was saved.",
  removed: "The webhook was taken away.",
  replayed: "The event will be sent again within a minute.",
};
const TYPED: KeptForm = {
  fields: ["url", "rotate"],
  nothingDone: "The webhook was not changed.",
};
const BAD_ADDRESS = "Name a public address that begins with https://, " +
  "without a port.";
/** The place of an event, as the form sends it. */
const PLACE = /^\d{1,15}$/;

/** Shows a connection's webhook. */
export async function showWebhook(request: PageRequest): Promise<Response> {
  return request.show(<WebhookPage view={await viewOf(request)} />);
}

/**
 * Sets or takes it away; a secret that is made is shown once. Whoever is told goes
 * on being told for as long as the agent is connected, so it takes a sign-in of
 * the last minutes.
 */
export async function setWebhook(request: PageRequest): Promise<Response> {
  const { services, accountId, signedIn: by, param, form, show } = request;
  const { stale } = keepForms(request, pathOf(request), TYPED);
  const kept = await stale(request.context);
  if (kept !== null) return kept;
  const typed = await form();
  const url = typed.text("url", CALLBACK_URL_MAX + 1);
  const rotates = typed.text("rotate") === "yes";
  try {
    const { value } = await setCallback(services, {
      accountId,
      grantId: param("grant"),
      by,
      url: url === "" ? null : url,
      rotates,
      binding: null,
    });
    const done = url === "" ? "removed" : "saved";
    const { secret } = value;
    if (secret === null) {
      return sayDone(request, { path: pathOf(request), done });
    }
    const view = { ...await viewOf(request), secret, note: NOTES[done] };
    return show(<WebhookPage view={view} />);
  } catch (thrown) {
    if (!isBadAddress(thrown)) throw thrown;
    const refused = { url, rotates, error: BAD_ADDRESS };
    const view = { ...await viewOf(request), refused };
    return show(<WebhookPage view={view} />, { status: 400 });
  }
}

/** Has an event sent again. */
export async function replayWebhook(request: PageRequest): Promise<Response> {
  const { services, accountId, param, form } = request;
  const place = (await form()).text("event");
  if (!PLACE.test(place)) refuseUnknown();
  const position = Number(place);
  await replayEvent(services, { accountId, grantId: param("grant"), position });
  return sayDone(request, { path: pathOf(request), done: "replayed" });
}

function pathOf({ param }: PageRequest): string {
  return webhookPath({ grantId: param("grant") });
}

/** A connection that is over, or of another account, is as good as unknown. */
async function viewOf(request: PageRequest): Promise<WebhookView> {
  const { services, accountId, param } = request;
  const grantId = param("grant");
  const grant = await services.store.grants.find(grantId);
  const isOwn = grant?.accountId === accountId &&
    !isOver(grant, services.clock.now());
  if (!isOwn) refuseUnknown();
  return {
    grantId,
    agent: grant.client.name,
    callback: await findCallback(services, grantId),
    secret: null,
    refused: null,
    note: doneNote(request, NOTES),
  };
}

function refuseUnknown(): never {
  refuse({ code: "not_found", message: "Cannot find the agent" });
}

function isBadAddress(thrown: unknown): boolean {
  return thrown instanceof Refused && thrown.refusal.code === "invalid_input";
}
