import type { Bid } from "../../../domain/bids/bid.ts";
import type { AuctionHours } from "../../../domain/auction/auction.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Erasure } from "../../../domain/privacy/erasure.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Form } from "../pages/forms.tsx";
import { LiveBids } from "../pages/live_bids.tsx";
import { Moment } from "../pages/moment.tsx";
import { Page } from "../pages/page.tsx";
import { ERASURE_PATH, KEEP_PATH } from "./privacy_paths.ts";

/** What stands about the erasure, or the way to it. */
export function ErasureSection(
  { erasure }: { erasure: Erasure | null },
): Html {
  return (
    <section id="erasure">
      <h2>Erase your account</h2>
      {erasure === null
        ? (
          <>
            <p>
              Your personal data is deleted for good, seven days after you
              confirm it by mail. Invoices and the books stay for 10 years, as
              accounting law demands.
            </p>
            <p>
              <a class="button" href={ERASURE_PATH}>Erase my account…</a>
            </p>
          </>
        )
        : <Standing erasure={erasure} />}
    </section>
  );
}

function Standing({ erasure }: { erasure: Erasure }) {
  const { state, confirmUntilMs, eraseAtMs } = erasure;
  if (state === "erasing" || eraseAtMs === null) {
    return (
      <>
        <p>
          We mailed you a link that confirms it. It works until{" "}
          <Moment atMs={confirmUntilMs} />. Nothing happens before you follow
          it.
        </p>
        <Keep>Do not erase it</Keep>
      </>
    );
  }
  return (
    <>
      <p>
        <strong>
          Your account will be erased after <Moment atMs={eraseAtMs} />.
        </strong>{" "}
        Until then everything stays as it is, and bids that stand may win and be
        charged.
      </p>
      <Keep>Keep my account</Keep>
    </>
  );
}

function Keep({ children }: { children: string }) {
  return (
    <Form action={KEEP_PATH}>
      <Button kind="main">{children}</Button>
    </Form>
  );
}

/** Says what an erasure ends, before it is asked for. */
export function AskErasurePage(
  { liveBids, hours, email }: {
    liveBids: readonly Bid[];
    hours: AuctionHours;
    email: string;
  },
): Html {
  return (
    <Page title="Erase your account?">
      <p>
        We mail a link to{" "}
        <strong>{email}</strong>. Once you follow it and confirm, you have seven
        days to change your mind. After them:
      </p>
      <ul>
        <li>
          your company, ads, cards, passkeys, agents and all that we know of you
          are deleted, here and at the payment processor
        </li>
        <li>
          bids that still stand become void: not before, so that an erasure is
          no way to take back a bid
        </li>
        <li>
          ads that were published stay. A company’s name stays beside them; a
          person’s becomes “Former advertiser”
        </li>
        <li>
          invoices and the books stay for 10 years, as accounting law demands
        </li>
        <li>
          what you earned as a partner and have not been paid is not paid any
          more
        </li>
      </ul>
      {liveBids.length > 0 && (
        <LiveBids bids={liveBids} hours={hours} heading="h2" />
      )}
      <p>
        <a href={`${PAGES.privacy}#export`}>Make a copy of your data</a>{" "}
        first, if you want one: nothing can be brought back.
      </p>
      <Form action={ERASURE_PATH}>
        <div class="buttons">
          <Button kind="danger">Mail me the link</Button>
          <a class="button" href={PAGES.privacy}>Keep my account</a>
        </div>
      </Form>
    </Page>
  );
}

/** Asks once more: whoever follows a link has not decided yet. */
export function FollowedPage(
  { act, token }: { act: "confirm" | "keep"; token: string },
): Html {
  const isConfirm = act === "confirm";
  return (
    <Page
      title={isConfirm ? "Erase your account?" : "Keep your account?"}
    >
      <p>
        {isConfirm
          ? "After you confirm, you have seven days to change your mind. Then " +
            "your personal data is deleted for good, and bids that still " +
            "stand become void."
          : "The erasure is called off, and everything stays as it is."}
      </p>
      <Form action={`/erasure/${token}`}>
        <Button kind={isConfirm ? "danger" : "main"}>
          {isConfirm ? "Erase my account in seven days" : "Keep my account"}
        </Button>
      </Form>
    </Page>
  );
}

/** The erasure was confirmed. */
export function ConfirmedPage({ eraseAtMs }: { eraseAtMs: number }): Html {
  return (
    <Page title="Your account will be erased">
      <p>
        It happens after{" "}
        <Moment atMs={eraseAtMs} />. We mailed you a link by which you keep the
        account until then, without signing in.
      </p>
    </Page>
  );
}

/** The erasure was called off, or that came too late. */
export function KeptPage({ isKept }: { isKept: boolean }): Html {
  return isKept
    ? (
      <Page title="Your account stays">
        <p>
          Nothing was erased. <a href={PAGES.account}>Go to your account</a>
        </p>
      </Page>
    )
    : (
      <Page title="The erasure has begun">
        <p>It can’t be called off any more: the seven days are over.</p>
      </Page>
    );
}

/** For a link that has lapsed, was cut off or is nobody's. */
export function LapsedPage(): Html {
  return (
    <Page title="This link no longer works">
      <p>
        It may be of an earlier request, older than a day, or your mail program
        may have cut it off. Nothing was changed.
      </p>
      <p>
        <a href={PAGES.privacy}>See your data</a> after signing in.
      </p>
    </Page>
  );
}
