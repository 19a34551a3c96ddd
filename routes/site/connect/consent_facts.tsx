import type { Consent } from "../../../domain/oauth/authorize/open_authorization.ts";
import type { Html } from "../../pages/html.ts";

/** Who asks, for whose account, and where the answer goes. */
export function ConsentFacts(
  { consent, account }: {
    consent: Consent;
    account: { email: string; companyName: string | null };
  },
): Html {
  const { client, redirectHost, redirectsToLoopback } = consent;
  return (
    <>
      <dl class="facts">
        <dt>Agent</dt>
        <dd>
          <bdi>{client.name}</bdi>
        </dd>
        <dt>Known by</dt>
        <dd>
          {client.host === null
            ? (
              <>
                <strong>unverified registration</strong>: it chose its name
                itself
              </>
            )
            : <strong>{client.host}</strong>}
        </dd>
        <dt>Sends you back to</dt>
        <dd>
          <strong>{redirectHost}</strong>
        </dd>
        <dt>Your account</dt>
        <dd>
          {account.companyName !== null && (
            <>
              <bdi>{account.companyName}</bdi>,{" "}
            </>
          )}
          {account.email}
        </dd>
      </dl>
      {redirectsToLoopback && (
        <p class="note warning">
          This leads to a program on this computer ({redirectHost}). We can’t
          tell which one. Allow it only if you have just started it yourself.
        </p>
      )}
    </>
  );
}
