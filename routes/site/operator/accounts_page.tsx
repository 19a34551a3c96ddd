import type { Account } from "../../../domain/accounts/account.ts";
import type { FoundAccounts } from "../../../domain/accounts/read_desk_account.ts";
import { Button, Field } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Cards, Page } from "../pages/page.tsx";
import { waitingWords } from "./account_words.ts";
import { Around } from "../ui/around.tsx";
import { accountPath, ACCOUNTS_PATH, PARTNERS_PATH } from "./paths.ts";

/** `/operator/accounts`: what waits for an operator, and a way to the others. */
export function AccountsPage(
  { waiting, next, isFurtherOn, sought, found }: {
    /** What has waited longest, first. */
    waiting: readonly Account[];
    /** Where what waits goes on; null at its end. */
    next: string | null;
    /** Whether there are pages of it before this one. */
    isFurtherOn: boolean;
    sought: string;
    /** Null where nothing is looked for. */
    found: FoundAccounts | null;
  },
): Html {
  const isNone = found?.accounts.length === 0;
  return (
    <Page title="Accounts">
      <form method="get" action={ACCOUNTS_PATH} class="search" role="search">
        <Field
          name="find"
          label="Find an account"
          hint="By e-mail address, company, VAT id or account id"
          value={sought}
          error={isNone ? "No account has that." : null}
          maxlength={254}
        />
        <Button kind="plain">Find</Button>
      </form>
      {found !== null && !isNone && <Found found={found} />}
      <section>
        <h2>Waiting for you</h2>
        <Cards
          none="No account waits for a decision."
          of={waiting.map((account) => (
            <li>
              <p>
                <AccountLink account={account} />
              </p>
              <p class="quiet">{waitingWords(account).join("; ")}</p>
            </li>
          ))}
        />
        <Around
          label="Pages of accounts"
          ways={[
            next !== null && [
              `${ACCOUNTS_PATH}?${new URLSearchParams({ cursor: next })}`,
              "Later cases",
              "next",
            ],
            isFurtherOn && [ACCOUNTS_PATH, "First page"],
          ]}
        />
        <p class="quiet">
          Who asks to be a partner waits{" "}
          <a href={PARTNERS_PATH}>
            among the partners
          </a>.
        </p>
      </section>
    </Page>
  );
}

function Found({ found: { accounts, isPartial } }: { found: FoundAccounts }) {
  return (
    <section>
      <h2>Found</h2>
      {isPartial && (
        <p>There are more than are shown: add a word, or write one out.</p>
      )}
      <Cards
        of={accounts.map((account) => (
          <li>
            <p>
              <AccountLink account={account} />
            </p>
            <p class="quiet">
              {account.email}, {account.company?.country}
              {account.company?.vatId && `, ${account.company.vatId}`}
              {account.suspendedAtMs !== null && ", suspended"}
            </p>
          </li>
        ))}
      />
    </section>
  );
}

function AccountLink({ account: { id, company } }: { account: Account }) {
  return (
    <strong>
      <a href={accountPath(id)}>
        <bdi>{company?.name ?? id}</bdi>
      </a>
    </strong>
  );
}
