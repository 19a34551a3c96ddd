import { PAGES } from "../../../domain/pages.ts";
import { browserOf } from "../../../domain/sessions/browser_name.ts";
import type { Session } from "../../../domain/sessions/session.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Form, Hidden } from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Cards } from "../pages/page.tsx";
import { SIGN_OUT_EVERYWHERE_PATH } from "./settings_paths.ts";

/** The browsers that an account is signed in in, each with the way to end it. */
export function Browsers(
  { sessions, current }: { sessions: readonly Session[]; current: Session },
): Html {
  return (
    <section id="browsers">
      <h2>Where you are signed in</h2>
      <Cards
        of={sessions.map((session) => (
          <Browser
            session={session}
            isCurrent={session.hash === current.hash}
          />
        ))}
      />
      <p>
        Lost a device, or does something look wrong?{" "}
        <a href={SIGN_OUT_EVERYWHERE_PATH}>Sign out everywhere…</a>
      </p>
    </section>
  );
}

function Browser(
  { session, isCurrent }: { session: Session; isCurrent: boolean },
) {
  const name = browserOf(session);
  const { createdAtMs, lastUsedAtMs, hash } = session;
  return (
    <li>
      <p>
        <strong>{name}</strong>
        {isCurrent && " (this browser)"}
      </p>
      <p class="quiet">
        Since <Moment atMs={createdAtMs} />, last used{" "}
        <Moment atMs={lastUsedAtMs} />
      </p>
      {!isCurrent && (
        <Form action={`${PAGES.settings}/sessions/end`}>
          <Hidden name="session" value={hash} />
          <Button kind="plain">
            Sign out <span class="unseen">{name}</span>
          </Button>
        </Form>
      )}
    </li>
  );
}
