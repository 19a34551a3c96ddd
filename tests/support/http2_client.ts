import { type ClientHttp2Session, connect } from "node:http2";

/** An answer over HTTP/2. */
export interface Http2Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** A request whose body does not go on. */
export interface StalledStream {
  /** Of its answer; null before. */
  readonly status: number | null;
  /** Whether the server has let go of it. */
  readonly isClosed: boolean;
}

/** A connection that speaks HTTP/2 without TLS from its first byte (h2c). */
export class Http2Client implements AsyncDisposable {
  readonly #session: ClientHttp2Session;

  constructor(port: number) {
    this.#session = connect(`http://127.0.0.1:${port}`);
    // Of a connection that is cut, the request tells.
    this.#session.on("error", () => {});
  }

  /** Sends one request, with pseudo-headers such as `:authority` as they are. */
  ask(headers: Record<string, string>, body = ""): Promise<Http2Answer> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request(headers, { endStream: body === "" });
      let answered: Record<string, string> = {};
      let text = "";
      stream.setEncoding("utf8");
      stream.on("response", (head) => answered = { ...head } as never);
      stream.on("data", (part) => text += part);
      stream.on("error", reject);
      stream.on("end", () =>
        resolve({
          status: Number(answered[":status"]),
          headers: answered,
          text,
        }));
      if (body !== "") stream.end(body);
    });
  }

  /** Sends a part of a body that is announced to be longer, and no more. */
  stall(headers: Record<string, string>, part: string): StalledStream {
    const stream = this.#session.request(headers);
    let status: number | null = null;
    let isClosed = false;
    stream.on("response", (head) => status = Number(head[":status"]));
    stream.on("close", () => isClosed = true);
    // Of a stream that is cut, its state tells.
    stream.on("error", () => {});
    stream.resume();
    stream.write(part);
    return {
      get status() {
        return status;
      },
      get isClosed() {
        return isClosed;
      },
    };
  }

  /** Cuts the connection, whatever is open on it. */
  cut(): void {
    this.#session.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return new Promise((resolve) => this.#session.close(() => resolve()));
  }
}
