import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Form } from "../pages/forms.tsx";
import { Page } from "../pages/page.tsx";
import { SIGN_OUT_EVERYWHERE_PATH } from "./settings_paths.ts";

/** Asks whether every browser is to be signed out, and says what that ends. */
export function SignOutEverywherePage(
  { browsers, agents }: { browsers: number; agents: readonly string[] },
): Html {
  return (
    <Page title="Sign out everywhere?">
      <p>This ends at once:</p>
      <ul>
        <li>
          {browsers === 1
            ? "The sign-in of this browser; there is no other."
            : `The sign-in of all ${browsers} browsers, this one too.`}
        </li>
        {agents.length > 0 && <Agents names={agents} />}
      </ul>
      <p>
        Bids that were accepted stand. Passkeys stay: if you do not know one of
        them, <a href={`${PAGES.settings}#passkeys`}>remove it</a> first.
      </p>
      <Form action={SIGN_OUT_EVERYWHERE_PATH}>
        <div class="buttons">
          <Button kind="danger">Sign out everywhere</Button>
          <a class="button" href={PAGES.settings}>Stay signed in</a>
        </div>
      </Form>
    </Page>
  );
}

function Agents({ names }: { names: readonly string[] }) {
  return (
    <li>
      The access of{" "}
      {names.length === 1 ? "your agent" : `your ${names.length} agents`}:{" "}
      {names.map((name, at) => (
        <>
          {at > 0 && ", "}
          <bdi>{name}</bdi>
        </>
      ))}. {names.length === 1 ? "It has" : "They have"} to be connected again.
    </li>
  );
}
