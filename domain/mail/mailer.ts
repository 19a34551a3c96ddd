import type { Mail } from "./mail_content.ts";

/** Sends mail away, or keeps it where a developer sees it. */
export interface Mailer {
  /**
   * True where the stored mail is all there is, so that its text has to stay.
   * Elsewhere a mail's text, which may hold a sign-in code, is forgotten once
   * it is sent.
   */
  readonly keepsText: boolean;
  /**
   * Hands one mail over and answers once it was taken. The id makes a mail that
   * is sent twice recognisable.
   *
   * @throws {MailRefused} when the mail itself is refused for good
   * @throws any other error when a later attempt may succeed
   */
  send(mail: Mail & { id: string }): Promise<void>;
}

/** This mail will never be taken: no such mailbox, or its contents refused. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
  /** What the mail server answered, such as 550; null: it was not asked. */
  readonly status: number | null;

  constructor(status: number | null) {
    // The server's own words repeat the address, and messages end in logs.
    super(
      status === null
        ? "Cannot send the mail: its address is not that of one mailbox"
        : `Cannot send the mail: the server refused it with ${status}`,
    );
    this.status = status;
  }
}
