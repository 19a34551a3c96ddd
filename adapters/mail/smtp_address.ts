import { isIP } from "node:net";

/** Where and how mail is handed over, read from `MAIL_URL`. */
export interface SmtpAddress {
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
