import type { Child } from "@hono/hono/jsx";
import type { Html } from "../../pages/html.ts";
import { Layout, type LayoutProps } from "../../pages/layout.tsx";
import { ErrorNote, type Faults, StatusNote } from "./forms.tsx";

/** What a page of the website is called, and what is said at its top. */
export interface PageProps extends LayoutProps {
  /** Where it differs from the title. */
  heading?: Child;
  /** What was just done; null for nothing. */
  note?: Child;
  /** What was in the way; null for nothing. */
  error?: Child;
  /** The fields that something is wrong with, which say so as well. */
  faults?: Faults;
  /** Whether its only field is wrong, which says so itself and has the focus. */
  isFaulty?: boolean;
}

/** A page of the website: its name as heading, then what has just happened. */
export function Page(
  {
    title,
    heading,
    note = null,
    error = null,
    faults = [],
    isFaulty = false,
    children,
    ...frame
  }: PageProps,
): Html {
  const isRefused = error !== null || faults.length > 0;
  // The title is what is read out first.
  const named = `${isRefused || isFaulty ? "Error: " : ""}${title} – Spotlight`;
  return (
    <Layout title={named} {...frame}>
      <h1>{heading ?? title}</h1>
      {note !== null && <StatusNote>{note}</StatusNote>}
      {isRefused && <ErrorNote faults={faults}>{error}</ErrorNote>}
      {children}
    </Layout>
  );
}

/** Goes on by itself, without a script; a link is there for whoever waits. */
export function OnwardPage(
  { title, url, children }: { title: string; url: string; children?: Child },
): Html {
  return (
    <Page title={title} refreshTo={url}>
      <p>{children}</p>
      <p>
        <a class="button" href={url} rel="noreferrer">Continue</a>
      </p>
    </Page>
  );
}

/** Things in a frame each, or a sentence where there are none. */
export function Cards(
  { of: cards, none }: { of: readonly Child[]; none?: string },
): Html | null {
  if (cards.length > 0) return <ul class="cards">{cards}</ul>;
  return none === undefined ? null : <p>{none}</p>;
}

/** A name and what there is to say under it; false where it is left out. */
export type Fact = readonly [name: Child, value: Child] | false;

/** What is known of something, by name. */
export function Facts({ of: facts }: { of: readonly Fact[] }): Html {
  return (
    <dl class="facts">
      {facts.map((fact) =>
        fact && (
          <>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </>
        )
      )}
    </dl>
  );
}
