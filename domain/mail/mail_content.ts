import type { MailKind } from "./mail_kinds.ts";

/** A name and its value, a row of a small table. */
export type MailFact = readonly [name: string, value: string];

/** A part of a mail. Texts may be anybody's: rendering makes them harmless. */
export type MailPart =
  /** A paragraph. */
  | string
  | { facts: readonly MailFact[] }
  /** Somebody's own words, or a name, set apart. */
  | { quote: string }
  /** What is to be typed. */
  | { code: string }
  /** The one thing to do, at most once a mail. */
  | { button: string; url: string }
  /** A further way, after the sentence that it belongs to. */
  | { link: string; url: string };

/**
 * What a mail says, once for both of its forms: `renderMail()` makes plain text
 * and HTML of it.
 */
export interface MailContent<Kind extends MailKind = MailKind> {
  kind: Kind;
  to: string;
  /** Never a code or a link that signs in: it is kept when the text is not. */
  subject: string;
  /** In the order they are read. */
  parts: readonly MailPart[];
}

/** A mail to one address, as plain text and as HTML. */
export interface Mail {
  /** Absent in rows of earlier versions, but for `sign_in`. */
  kind?: MailKind;
  to: string;
  /** Never a code or a link that signs in: it is kept when the text is not. */
  subject: string;
  text: string;
  /** The same as HTML; absent in rows of earlier versions. */
  html?: string;
  /** Where its kind is switched off; absent for one that always comes. */
  unsubscribeUrl?: string;
}
