import { type Hold, isActiveHold } from "../../../domain/hold/hold.ts";
import { itemId, type ReviewItem } from "../../../domain/release/review.ts";
import { isAdoptable } from "../../../domain/release/adopt_item.ts";
import { reviewText } from "../../../domain/release/review_text.ts";
import { Button, Form, StatusNote, TextArea, Tick } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import { Page } from "../pages/page.tsx";
import { HOLD_PATH } from "./paths.ts";

/** Said on every page of the operator's while the store is on hold. */
export function HoldNote({ hold }: { hold: Hold | null }): Html | null {
  if (!isActiveHold(hold)) return null;
  return (
    <p class="note error" role="alert">
      This store was restored and is{" "}
      {hold.kind === "drill" ? "a drill" : "on hold"}: it charges, settles and
      mails nothing. <a href={HOLD_PATH}>What to do</a>
    </p>
  );
}

/** What the form of the release said when it was sent. */
export interface TypedRelease {
  /** The names of what the operator has taken note of. */
  ticked: readonly string[];
  /** The accounts that were erased since the backup, as they were typed. */
  erased: string;
}

/** The form before anything was typed. */
const NOTHING_SAID: TypedRelease = { ticked: [], erased: "" };

/** `/operator/hold`: what happened since the backup, and the release. */
export function HoldPage(
  { hold, items, typed = NOTHING_SAID, error = null, left = 0 }: {
    hold: Hold | null;
    items: readonly ReviewItem[];
    typed?: TypedRelease;
    /** What was wrong with the accounts; null for nothing. */
    error?: string | null;
    /** A release was asked for and so much is left. */
    left?: number;
  },
): Html {
  return (
    <Page
      title="Restored store"
      error={left > 0
        ? `The store is still on hold: ${left} of the things below need your ` +
          "attention first."
        : null}
      faults={error === null ? [] : [["erased", error]]}
    >
      {isActiveHold(hold)
        ? <Standing {...{ hold, items, typed, error }} />
        : <NotHeld hold={hold} />}
    </Page>
  );
}

function NotHeld({ hold }: { hold: Hold | null }): Html {
  if (hold === null || hold.releasedAtMs === null) {
    return <p>This store is not on hold.</p>;
  }
  return (
    <StatusNote>
      The store was released <Moment atMs={hold.releasedAtMs} />
      : it charges, settles and mails again.
    </StatusNote>
  );
}

function Standing(
  { hold, items, ...said }: {
    hold: Hold;
    items: readonly ReviewItem[];
    typed: TypedRelease;
    error: string | null;
  },
): Html {
  const named = items.filter((item) => !isAdoptable(item));
  return (
    <>
      <p>
        Restored <Moment atMs={hold.restoredAtMs} /> from a backup{" "}
        {hold.backupAtMs === null ? "that does not say when it was made" : (
          <>
            of <Moment atMs={hold.backupAtMs} />
          </>
        )}. The store reads and answers; it settles, charges, refunds, archives
        and mails nothing, sign-in codes apart.
      </p>
      <Items
        title="Taken over on release"
        none="Nothing: the store knows everything that it can take over."
        items={items.filter(isAdoptable)}
      />
      {hold.kind === "drill"
        ? (
          <p>
            This is a drill, made with{" "}
            <code>restore --drill</code>. It is never released: delete it when
            you are done.
          </p>
        )
        : <ReleaseForm items={named} {...said} />}
    </>
  );
}

function Items(
  { title, none, items }: {
    title: string;
    none: string;
    items: readonly ReviewItem[];
  },
): Html {
  return (
    <section>
      <h2>{title}</h2>
      {items.length === 0 ? <p>{none}</p> : (
        <ul>
          {items.map((item) => <li>{reviewText(item)}.</li>)}
        </ul>
      )}
    </section>
  );
}

function ReleaseForm(
  { items, typed: { ticked, erased }, error }: {
    items: readonly ReviewItem[];
    typed: TypedRelease;
    error: string | null;
  },
): Html {
  return (
    <section>
      <h2>For you to decide</h2>
      {items.length === 0 ? <p>Nothing is left for a person.</p> : (
        <p>
          Do what each line says, or tick it to say that you have noted it.
        </p>
      )}
      <Form action={HOLD_PATH}>
        {items.map((item) => <Acknowledge item={item} ticked={ticked} />)}
        <TextArea
          name="erased"
          label="Accounts that were erased since the backup"
          hint={"Their ids, one a line, as a later backup or the lost " +
            "service’s log has them under privacy.erased. They are erased " +
            "again before the store acts; it can’t be undone"}
          value={erased}
          error={error}
          required={false}
        />
        <p>
          Make sure that no other service runs over another copy of this store,
          and that suspensions, removals, revocations and releases of VAT ids
          made since the backup are done again: it has forgotten them. On
          release everything above is taken over without charging anybody; then
          days are settled, cards charged and mails sent again.
        </p>
        <Button kind="danger">Release the store</Button>
      </Form>
    </section>
  );
}

function Acknowledge(
  { item, ticked }: { item: ReviewItem; ticked: readonly string[] },
): Html {
  const id = itemId(item);
  const checked = ticked.includes(id);
  return (
    <Tick name="acknowledge" value={id} checked={checked}>
      {reviewText(item)}.
    </Tick>
  );
}
