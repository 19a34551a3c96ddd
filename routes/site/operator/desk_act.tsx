/**
 * How an operator does something: a page asks once and says what will happen,
 * and whatever is sent from it takes effect once.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import { REASON_TEXT } from "../../../domain/accounts/decide_about_account.ts";
import { operatorOf } from "../../../domain/accounts/require_operator.ts";
import { actAs, type ActOrder } from "../../../domain/audit/act_as.ts";
import {
  commitOnce,
  done as answered,
} from "../../../domain/idempotency/answer_once.ts";
import type { Services } from "../../../domain/ports.ts";
import type { Form as SentForm } from "../../http/form_body.ts";
import type { Html } from "../../pages/html.ts";
import type { PageRequest } from "../pages/advertiser_page.ts";
import { type DoneAt, sayDone } from "../pages/done_note.ts";
import { tokenOf } from "../pages/form_token.ts";
import {
  Button,
  type Faults,
  Form,
  Hidden,
  TextArea,
} from "../pages/forms.tsx";
import { Page } from "../pages/page.tsx";
import { reportsPath } from "./paths.ts";
import { parseDay } from "../../../domain/day.ts";

/**
 * What pages say of a form that was sent before. Whether it did something then
 * they can't say: it may have been refused.
 */
export const SENT_BEFORE = {
  again: "This form was sent before, so nothing was done now. This is how it " +
    "stands; where it was not done the first time, begin anew.",
} as const;

/** What is asked before it is done. */
export interface Question {
  /** What is done, as a heading and a button. */
  title: string;
  /** To what. */
  about?: Child;
  /** What it looks like, where there is something to see. */
  preview?: Child;
  /** What will happen. */
  effect: Child;
  /** In the operator's words; null where none is asked for. */
  reason?: string | null;
  kind: "main" | "danger";
  /** Where the form is sent, and its fields besides. */
  action: string;
  fields: Readonly<Record<string, string | readonly string[]>>;
  /** Where nothing is done. */
  leave: string;
}

/** An act that a form asks for. */
export interface AskedAct {
  form: SentForm;
  ask(): Question | Promise<Question>;
  /** What the audit is told of it. */
  order: Omit<ActOrder, "by">;
  /** Says what was done where that is not what `next` says. */
  act(acting: Services): Promise<unknown>;
  /** The page that it leads to, and what that says was done. */
  next: DoneAt;
}

/**
 * Asks what was meant, then does it, once for each page that asked. The page's
 * token is taken before: after a crash between the two nothing was done, and
 * whoever sent the form sees that and is asked anew.
 */
export async function askThenAct(
  request: PageRequest,
  { form, ask, order, act, next }: AskedAct,
): Promise<Response> {
  const { services, account, show } = request;
  const token = tokenOf(form);
  if (form.text("confirmed") !== "yes" || token === null) {
    const asked = await ask();
    return show(<QuestionPage {...asked} token={services.ids.secret()} />);
  }
  const isFirst = await takeToken(request, token);
  if (!isFirst) return sayDone(request, { ...next, done: "again" });
  const by = operatorOf(account, services.settings);
  const said = await actAs(services, { ...order, by }, act);
  const done = typeof said === "string" ? said : next.done;
  return sayDone(request, { ...next, done });
}

/** Takes a page's token; false where a form of the page was sent before. */
export async function takeToken(
  { services, accountId, context }: PageRequest,
  token: string,
): Promise<boolean> {
  const { replayed } = await commitOnce(services, {
    owner: accountId,
    operation: `POST ${context.req.path}`,
    key: token,
    requestHash: token,
  }, () => Promise.resolve(answered(null)));
  return !replayed;
}

/** What is wrong with the reason of a form, of several on a page. */
export function reasonFaults(
  typed: { act: string; error: string | null } | null,
): Faults {
  return typed?.error ? [[`reason-${typed.act}`, typed.error]] : [];
}

/** Asks an operator why. */
export function ReasonField(
  { scope, hint, value = "", error = null, required = true }: {
    /** Names the form, of several on a page. */
    scope: string;
    /** Who reads it. */
    hint: string;
    value?: string;
    /** What is wrong with it; null for nothing. */
    error?: string | null;
    required?: boolean;
  },
): Html {
  return (
    <TextArea
      name="reason"
      scope={scope}
      label="Reason"
      hint={`${hint}. ${REASON_TEXT.max} characters at most`}
      value={value}
      error={error}
      required={required}
    />
  );
}

/** Says what will happen, and asks once. */
function QuestionPage(
  {
    title,
    about,
    preview,
    effect,
    reason = null,
    kind,
    action,
    fields,
    leave,
    token,
  }:
    & Question
    & { token: string },
): Html {
  return (
    <Page title={title} heading={`${title}?`}>
      {about && <p>{about}</p>}
      {preview}
      <p>{effect}</p>
      {reason !== null && (
        <p>
          Your reason: <span dir="auto">{reason}</span>
        </p>
      )}
      <Form action={action}>
        {Object.entries(fields).flatMap(([name, values]) =>
          [values].flat().map((value) => <Hidden name={name} value={value} />)
        )}
        {reason !== null && <Hidden name="reason" value={reason} />}
        <Hidden name="confirmed" value="yes" />
        <Hidden name="token" value={token} />
        {/* A key that is held down must not do what can't be undone. */}
        <Button kind={kind} autofocus={kind === "main"}>{title}</Button>
      </Form>
      <p>
        <a href={leave}>Leave it as it is</a>
      </p>
    </Page>
  );
}

/** The field in which a form of that page says where it stood. */
export const REPORTS_OF = "reports_of";

/** Where a form leads back to that may stand on that page, too. */
export function backOf(form: SentForm, own: string): {
  path: string;
  fields: Readonly<Record<string, string>>;
} {
  const day = parseDay(form.text(REPORTS_OF));
  return day === null
    ? { path: own, fields: {} }
    : { path: reportsPath(day), fields: { [REPORTS_OF]: day } };
}
