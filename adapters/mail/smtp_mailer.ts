import { abortAfter } from "../time/system_time.ts";
import { createTransport } from "nodemailer";
import { type Mailer, MailRefused } from "../../domain/mail/mailer.ts";
import type { Mail } from "../../domain/mail/mail_content.ts";
import { isIP } from "node:net";

/** How long each part of handing a mail over may take, ms. */
export interface SmtpLimits {
  connectionMs: number;
  greetingMs: number;
  /** Of silence. */
  socketMs: number;
  /** Everything together, at most half a mail's lease. */
  totalMs: number;
}

/** Limits that fit into the lease of a mail. */
const SMTP_LIMITS: SmtpLimits = {
  connectionMs: 10_000,
  greetingMs: 10_000,
  socketMs: 15_000,
  totalMs: 30_000,
};

/** What an SMTP mailer is made with. */
export interface SmtpOptions {
  /** `MAIL_URL`. */
  url: string;
  /** Whom the mail is from. */
  from: { name: string; email: string };
  /** Aborted when the service stops: attempts under way fail at once. */
  stopping: AbortSignal;
  limits?: SmtpLimits;
  /** Certificates to trust besides the system's, PEM. */
  ca?: string;
}

/**
 * Submits mail over SMTP with TLS, one connection a mail. A mail that the
 * server refuses with 5xx is refused for good; a server that can't be reached,
 * is busy or does not accept our login may take it later.
 */
export function smtpMailer(options: SmtpOptions): Mailer {
  const { from, stopping, limits = SMTP_LIMITS } = options;
  const transport = transportTo(options, limits);
  return {
    keepsText: false,
    async send(mail) {
      const message = messageOf(mail, from);
      await within(limits.totalMs, stopping, async (signal) => {
        try {
          await transport.sendMail({ ...message, signal });
        } catch (error) {
          throw permanentRefusal(error) ?? error;
        }
      });
    },
  };
}

/**
 * Signs in to the mail server and out again, without sending anything; answers
 * why that can't be done, or null when it can.
 */
export async function verifyLogin(
  options: SmtpOptions,
): Promise<string | null> {
  const { stopping, limits = SMTP_LIMITS } = options;
  const transport = transportTo(options, limits);
  try {
    await within(limits.totalMs, stopping, async (signal) => {
      const over = Promise.withResolvers<never>();
      const cut = () => over.reject(new Error("late"));
      signal.addEventListener("abort", cut, { once: true });
      await Promise.race([transport.verify(), over.promise]);
    });
    return null;
  } catch (error) {
    const { code } = error as { code?: unknown };
    return code === "EAUTH"
      ? "it refuses user or password"
      : "it can't be reached, or offers no TLS that can be trusted";
  } finally {
    transport.close();
  }
}

function transportTo(options: SmtpOptions, limits: SmtpLimits) {
  const address = readSmtpAddress(options.url);
  return createTransport({
    ...transportOf(address, options.ca),
    name: domainOf(options.from.email),
    connectionTimeout: limits.connectionMs,
    dnsTimeout: limits.connectionMs,
    greetingTimeout: limits.greetingMs,
    socketTimeout: limits.socketMs,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function transportOf(address: SmtpAddress, ca?: string) {
  const { host, port, secure, requireTLS, auth } = address;
  return {
    host,
    port,
    secure,
    requireTLS,
    ignoreTLS: !secure && !requireTLS,
    ...auth === null ? {} : { auth },
    tls: {
      minVersion: "TLSv1.2" as const,
      ...ca === undefined ? {} : { ca: [ca] },
    },
  };
}

/**
 * One address and no other: what a list, a comment or a control character
 * would make of it never reaches the server.
 */
const ONE_ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;

function messageOf(
  mail: Mail & { id: string },
  from: SmtpOptions["from"],
) {
  if (!ONE_ADDRESS.test(mail.to)) throw new MailRefused(null);
  return {
    envelope: { from: from.email, to: [mail.to] },
    from: { name: from.name, address: from.email },
    to: { name: "", address: mail.to },
    // A line feed would begin a header of its own.
    subject: mail.subject.replace(/\p{Cc}+/gu, " "),
    text: mail.text,
    ...mail.html !== undefined && { html: mail.html },
    // The same when a mail is sent twice, so that mailboxes show it once.
    messageId: `<${mail.id}@${domainOf(from.email)}>`,
    headers: {
      "Auto-Submitted": "auto-generated",
      ...unsubscribeHeaders(mail.unsubscribeUrl),
    },
  };
}

/** An address without anything that could end the header it stands in. */
const ONE_URL = /^https?:\/\/[!#-;=?-~]+$/;

/** How mailboxes offer to switch a mail off, by one click of theirs (RFC 8058). */
function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined || !ONE_URL.test(url)) return {};
  return {
    "List-Unsubscribe": `<${url}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}

/** The server wants another sign-in: our fault, not the mail's. */
const LOGIN_STATUSES: ReadonlySet<number> = new Set([530, 534, 535, 538]);

/** A 5xx to the mail itself; null for what a later attempt may not meet. */
function permanentRefusal(error: unknown): MailRefused | null {
  if (!(error instanceof Error)) return null;
  const { code, responseCode = 0 } = error as Error & {
    code?: string;
    responseCode?: number;
  };
  const aboutMail = code === "EENVELOPE" || code === "EMESSAGE";
  const refused = responseCode >= 500 && !LOGIN_STATUSES.has(responseCode);
  return aboutMail && refused ? new MailRefused(responseCode) : null;
}

async function within(
  totalMs: number,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const over = abortAfter(totalMs);
  try {
    await work(AbortSignal.any([over.signal, stopping]));
  } finally {
    over.callOff();
  }
}

/** Where and how mail is handed over, read from `MAIL_URL`. */
interface SmtpAddress {
  host: string;
  port: number;
  /** TLS from the first byte (smtps), else by STARTTLS. */
  secure: boolean;
  /** False on loopback alone: everywhere else no mail goes in the clear. */
  requireTLS: boolean;
  auth: { user: string; pass: string } | null;
}

const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;

/**
 * Reads an `smtp://` or `smtps://` address. User and password are
 * percent-encoded in it.
 *
 * @throws {TypeError} without the address, which holds a password
 */
export function readSmtpAddress(text: string): SmtpAddress {
  try {
    const url = new URL(text);
    const secure = url.protocol === "smtps:";
    const host = url.hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1");
    if (!secure && url.protocol !== "smtp:" || host === "") throw new Error();
    return {
      host,
      port: Number(url.port) || (secure ? SUBMISSIONS_PORT : SUBMISSION_PORT),
      secure,
      requireTLS: !secure && !isLoopbackHost(host),
      auth: url.username === "" ? null : {
        user: decodeURIComponent(url.username),
        pass: decodeURIComponent(url.password),
      },
    };
  } catch {
    throw new TypeError(
      "Cannot read MAIL_URL: it must be smtp(s)://[user:password@]host[:port]",
    );
  }
}

function isLoopbackHost(host: string): boolean {
  if (host === "localhost" || host === "::1") return true;
  return isIP(host) === 4 && host.startsWith("127.");
}
