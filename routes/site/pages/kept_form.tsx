import { isFresh } from "../../../domain/sessions/session.ts";
import {
  type Form as SentForm,
  FORM_MAX_BYTES,
  readForm,
} from "../../http/form_body.ts";
import { signInPath } from "../../middleware/next_path.ts";
import { chargeAddress } from "../../middleware/rate_limit.ts";
import { sessionOf } from "../../middleware/session.ts";
import type { Html } from "../../pages/html.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import type { Gate, RouteContext } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { Button, Form, FORM_OWNER, Hidden } from "./forms.tsx";
import { Page } from "./page.tsx";

/** Longest field that is kept: as much as a whole form has. */
const KEPT_MAX = FORM_MAX_BYTES;

const FRESH = "a sign-in of the last 10 minutes";

/** What of a form goes on once its sender has signed in. */
export interface KeptForm {
  /** The fields that were typed; what confirms a change is asked for again. */
  fields: readonly string[];
  /** The lists that were ticked. */
  lists?: readonly string[];
  /** Where the form goes on; by default where it was sent. */
  action?: string;
  /** The sentence that says that nothing happened. */
  nothingDone?: string;
  /** The button that goes on. */
  goOn?: string;
}

/**
 * Gates for changes that take a sign-in of the last 10 minutes: who is signed
 * out, or signed in longer ago, is shown a page that holds what was typed. It
 * travels in bodies alone, since addresses are logged on their way.
 *
 * @param path the page that signing in leads to
 */
export function keepForms(
  parts: AdvertiserParts,
  path: string,
  kept: KeptForm,
): { signedOut: Gate; stale: Gate } {
  const { clock } = parts.services;
  const isChange = (context: RouteContext) => context.req.method === "POST";
  return {
    async signedOut(context) {
      if (!isChange(context) || sessionOf(context) !== null) return null;
      // Nobody else pays for reading it.
      await chargeAddress(context, parts);
      return await keep(context, path, kept);
    },
    stale(context) {
      const session = sessionOf(context)?.session;
      const isStale = session !== undefined && !isFresh(session, clock.now());
      return isChange(context) && isStale ? keep(context, path, kept) : null;
    },
  };
}

/**
 * A gate for changes that need no sign-in of the last minutes: an operator who
 * has a passkey and signed in by a mere code is shown the same page, since who
 * reads an operator's mail decides nothing. Decision 0060 says why.
 */
export function keepUntilPasskey(path: string, kept: KeptForm): Gate {
  return function keepUntilPasskey(context) {
    const isByCode = sessionOf(context)?.needsPasskey ?? false;
    return context.req.method === "POST" && isByCode
      ? keep(context, path, { ...kept, takes: "a sign-in by your passkey" })
      : null;
  };
}

async function keep(
  context: RouteContext,
  path: string,
  kept: KeptForm & { takes?: string },
): Promise<Response> {
  const form = await readForm(context, kept.lists);
  const signedIn = sessionOf(context);
  const needsPasskey = signedIn?.needsPasskey ?? false;
  const fresh = needsPasskey ? `${FRESH}, and yours by passkey` : FRESH;
  const page = (
    <SignInAgainPage
      {...kept}
      takes={kept.takes ?? fresh}
      isSignedOut={signedIn === null}
      signIn={signInPath(path)}
      action={kept.action ?? context.req.path}
      owner={form.text(FORM_OWNER) || (signedIn?.account.id ?? null)}
      values={valuesOf(form, kept)}
    />
  );
  return privateAnswer(context, page, { status: 401 });
}

function valuesOf(
  form: SentForm,
  { fields, lists = [] }: KeptForm,
): [name: string, value: string][] {
  return [
    ...fields.map((
      name,
    ): [string, string] => [name, form.text(name, KEPT_MAX)]),
    ...lists.flatMap((name) =>
      form.list(name).map((value): [string, string] => [name, value])
    ),
  ];
}

function SignInAgainPage(
  { isSignedOut, takes, signIn, action, owner, values, nothingDone, goOn }:
    & Omit<KeptForm, "fields" | "lists">
    & {
      isSignedOut: boolean;
      /** What kind of sign-in it takes. */
      takes: string;
      signIn: string;
      action: string;
      /** Who typed it, for whom alone it goes on; null where that is unknown. */
      owner: string | null;
      values: readonly (readonly [name: string, value: string])[];
    },
): Html {
  return (
    <Page title={isSignedOut ? "You are signed out" : "Please sign in again"}>
      <p>
        {nothingDone ?? "Nothing was done."}{" "}
        {!isSignedOut && `This takes ${takes}.`}{" "}
        <a href={signIn} target="_blank">Sign in</a>{" "}
        in another tab, then come back to this one and go on.
      </p>
      <Form action={action} owner={owner}>
        {values.map(([name, value]) => <Hidden name={name} value={value} />)}
        <Button>{goOn ?? "Go on"}</Button>
      </Form>
    </Page>
  );
}
