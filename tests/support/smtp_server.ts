/**
 * A small ESMTP server on loopback, real sockets and real TLS, that can be
 * told to refuse, to hang and to drop the connection.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { TEST_TLS } from "./test_tls.ts";

/** A reply, or what the server does instead of replying. */
export type SmtpReply = string | "hang" | "drop";

/** The moments of a session: commands by their verb, and the mail's end. */
export type SmtpMoment =
  | "connect"
  | "EHLO"
  | "STARTTLS"
  | "AUTH"
  | "MAIL"
  | "RCPT"
  | "DATA"
  | "end of data";

/** How the server behaves. */
export interface SmtpBehaviour {
  tls?: "none" | "starttls" | "implicit";
  /** The one login it accepts; none is asked for when left out. */
  login?: { user: string; pass: string };
  /** Other replies than the usual ones. */
  replies?: Partial<Record<SmtpMoment, SmtpReply>>;
}

/** A mail as the server took it. */
export interface TakenMail {
  from: string;
  to: string[];
  /** Header and body, dots unstuffed. */
  data: string;
  /** Whether it came through TLS. */
  secure: boolean;
  user: string | null;
}

/** A running server. */
export interface SmtpServer extends AsyncDisposable {
  port: number;
  behaviour: SmtpBehaviour;
  mails: TakenMail[];
  /** Connections accepted so far. */
  readonly connections: number;
  /** Resolves once the session has come to the moment. */
  reached(moment: SmtpMoment): Promise<void>;
}

const USUAL: Readonly<Record<SmtpMoment, string>> = {
  "connect": "220 mail.example ESMTP",
  "EHLO": "250 mail.example",
  "STARTTLS": "220 Go ahead",
  "AUTH": "235 Welcome",
  "MAIL": "250 Sender ok",
  "RCPT": "250 Recipient ok",
  "DATA": "354 Go on",
  "end of data": "250 Queued",
};

/** Starts a server on a free port of 127.0.0.1. */
export async function startSmtpServer(
  behaviour: SmtpBehaviour = {},
): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const waiting = new Map<SmtpMoment, () => void>();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    const session = new Session(running, (moment) => waiting.get(moment)?.());
    const implicit = running.behaviour.tls === "implicit";
    session.serve(implicit ? upgrade(socket) : socket, implicit);
    session.reply("connect");
  });
  await new Promise<void>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve())
  );
  const running: SmtpServer = {
    port: (server.address() as AddressInfo).port,
    behaviour,
    mails: [],
    get connections() {
      return connections;
    },
    reached: (moment) =>
      new Promise((resolve) => {
        waiting.set(moment, resolve);
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return running;
}

function upgrade(socket: Socket): TLSSocket {
  const { key, cert } = TEST_TLS;
  const secured = new TLSSocket(socket, { isServer: true, key, cert });
  secured.on("error", () => {});
  return secured;
}

class Session {
  readonly #server: SmtpServer;
  readonly #tell: (moment: SmtpMoment) => void;
  #socket: Socket | null = null;
  #secure = false;
  #user: string | null = null;
  #text = "";
  #mail: { from: string; to: string[] } = { from: "", to: [] };
  #takesData = false;

  constructor(server: SmtpServer, tell: (moment: SmtpMoment) => void) {
    this.#server = server;
    this.#tell = tell;
  }

  serve(socket: Socket, secure: boolean): void {
    this.#socket?.removeAllListeners("data");
    this.#socket = socket;
    this.#secure = secure;
    this.#text = "";
    socket.on("data", (bytes: Buffer) => {
      this.#text += bytes.toString("utf8");
      this.#read();
    });
  }

  /** Whether the session goes on as usual. */
  reply(moment: SmtpMoment): boolean {
    const reply = this.#server.behaviour.replies?.[moment];
    this.#tell(moment);
    if (reply === "hang") return false;
    if (reply === "drop") this.#socket?.destroy();
    else this.#write(reply ?? USUAL[moment]);
    return reply === undefined;
  }

  #write(text: string): void {
    this.#socket?.write(`${text}\r\n`);
  }

  #read(): void {
    for (;;) {
      const end = this.#takesData ? "\r\n.\r\n" : "\r\n";
      const at = this.#text.indexOf(end);
      if (at === -1) return;
      const part = this.#text.slice(0, at);
      this.#text = this.#text.slice(at + end.length);
      if (this.#takesData) this.#take(part);
      else this.#obey(part);
    }
  }

  #take(data: string): void {
    this.#takesData = false;
    if (!this.reply("end of data")) return;
    this.#server.mails.push({
      ...this.#mail,
      data: data.replaceAll("\r\n..", "\r\n."),
      secure: this.#secure,
      user: this.#user,
    });
  }

  #obey(line: string): void {
    const verb = (line.split(" ", 1)[0] ?? "").toUpperCase();
    if (verb === "EHLO" || verb === "HELO") this.#greet();
    else if (verb === "AUTH") this.#login(line);
    else if (verb === "QUIT") this.#socket?.end("221 Bye\r\n");
    else if (verb === "MAIL" && this.reply("MAIL")) {
      this.#mail = { from: addressIn(line), to: [] };
    } else if (verb === "RCPT" && this.reply("RCPT")) {
      this.#mail.to.push(addressIn(line));
    } else if (verb === "DATA") this.#takesData = this.reply("DATA");
    else if (verb === "STARTTLS" && this.reply("STARTTLS")) {
      if (this.#socket !== null) this.serve(upgrade(this.#socket), true);
    }
  }

  #greet(): void {
    const { tls, login } = this.#server.behaviour;
    if (tls === "starttls" && !this.#secure) this.#write("250-STARTTLS");
    if (login !== undefined) this.#write("250-AUTH PLAIN");
    this.reply("EHLO");
  }

  #login(line: string): void {
    const sent = Buffer.from(line.split(" ")[2] ?? "", "base64").toString();
    const [, user = "", pass = ""] = sent.split("\0");
    const { login } = this.#server.behaviour;
    if (user === login?.user && pass === login.pass) {
      this.#user = user;
      this.reply("AUTH");
    } else this.#write("535 Wrong login");
  }
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? "";
}
