import type { Child } from "@hono/hono/jsx";
import type { Account } from "../../../domain/accounts/account.ts";
import { PAGES } from "../../../domain/pages.ts";
import { isForm, readField } from "../../http/form_body.ts";
import type { Html } from "../../pages/html.ts";
import type { PageInit } from "../../pages/page_answer.ts";
import type { RouteContext } from "../../route_table.ts";
import { FORM_OWNER } from "./forms.tsx";
import { Page } from "./page.tsx";

/** The part of a page's request that tells whose form was sent to whom. */
interface SentForm {
  context: RouteContext;
  account: Account;
  show(page: Child, init?: PageInit): Response;
}

/**
 * What a form of another account is answered with: a browser has one session, and
 * a tab that was left open, or a form that was kept through another sign-in, would
 * do for whoever is signed in now what somebody else had typed. Null for a form of
 * this account, and for one that does not say whose it is, which no page of ours
 * has.
 */
export async function othersForm(
  { context, account, show }: SentForm,
): Promise<Response | null> {
  const owner = isForm(context) ? await readField(context, FORM_OWNER) : null;
  if (owner === null || owner === account.id) return null;
  return show(<OthersFormPage email={account.email} />, { status: 409 });
}

function OthersFormPage({ email }: { email: string }): Html {
  return (
    <Page title="Another account is signed in">
      <p>
        Nothing was done. This form was shown to another account, and this
        browser is signed in as <strong>{email}</strong> by now.
      </p>
      <p>
        <a href={PAGES.account}>Go on as {email}</a>, or sign out and sign in
        with the other one.
      </p>
    </Page>
  );
}
