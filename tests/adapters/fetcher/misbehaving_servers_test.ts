/** What servers may say that is no answer, or one that costs more than it is worth. */
import { assert, assertEquals } from "@std/assert";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { systemConnector } from "../../../adapters/fetcher/exchange.ts";
import { WatchedSocket } from "../../../adapters/fetcher/watched_socket.ts";
import { DOCUMENT_POLICY, fetcherOf, resolvesTo } from "./fetch_world.ts";

const MIB = 1_048_576;
/** A head, a body of 5 KiB twice, and one reading of a socket. */
const TAKEN_BYTES_MAX = 8_192 + 2 * DOCUMENT_POLICY.maxBytes + 65_536;

const OK = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const CHUNKED = OK + "transfer-encoding: chunked\r\n\r\n";

/** As often as a MiB has room for it. */
function endless(text: string): string {
  return text.repeat(MIB / text.length);
}

/** What a server says to any request. */
interface Kind {
  says: string;
  /** Whether it hangs up then; else it waits for more. */
  ends?: boolean;
  /** What becomes of a document: its text, or why there is none. */
  document: string;
  /** What becomes of a message: the status, or why there is none. */
  message: number | string;
}

const KINDS: Readonly<Record<string, Kind>> = {
  "interim responses without end": {
    says: endless("HTTP/1.1 102 P\r\n\r\n"),
    document: "protocol",
    message: "protocol",
  },
  "early hints before the answer": {
    says:
      `HTTP/1.1 103 E\r\nlink: </a>\r\n\r\n${OK}content-length: 2\r\n\r\n{}`,
    document: "protocol",
    message: "protocol",
  },
  "100 where nobody asked for it": {
    says: `HTTP/1.1 100 C\r\n\r\n${OK}content-length: 2\r\n\r\n{}`,
    document: "protocol",
    message: "protocol",
  },
  "another protocol": {
    says: "HTTP/1.1 101 S\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\nPRI",
    document: "protocol",
    message: "protocol",
  },
  "line breaks before the answer": {
    says: endless("\r\n"),
    document: "protocol",
    message: "protocol",
  },
  "what is no HTTP": {
    says: "SSH-2.0-OpenSSH_10.0\r\n",
    document: "protocol",
    message: "protocol",
  },
  "another version of HTTP": {
    says: "HTTP/2 200\r\ncontent-length: 2\r\n\r\n{}",
    document: "protocol",
    message: "protocol",
  },
  "less than a status": {
    says: "HTTP/1.1",
    ends: true,
    document: "connection",
    message: "connection",
  },
  "a head that is cut off": {
    says: `${OK}x: `,
    ends: true,
    document: "connection",
    message: "connection",
  },
  "a head of one endless line": {
    says: `${OK}x: ${endless("a")}`,
    document: "connection",
    message: "size",
  },
  "a head of endless lines": {
    says: OK + endless("x:\r\n"),
    document: "size",
    message: "size",
  },
  "a body of single bytes": {
    says: CHUNKED + endless("1\r\n1\r\n"),
    document: "crumbs",
    message: 200,
  },
  "the line of a chunk without end": {
    says: `${CHUNKED}1;${endless("a")}`,
    document: "size",
    message: 200,
  },
  "trailers without end": {
    says: `${CHUNKED}2\r\n{}\r\n0\r\n${endless("x: a\r\n")}`,
    document: "size",
    message: 200,
  },
  "a body without end": {
    says: `${OK}\r\n${endless("a")}`,
    document: "size",
    message: 200,
  },
  "a chunk of no size": {
    says: `${CHUNKED}zz\r\n{}\r\n`,
    document: "connection",
    message: 200,
  },
  "a body that is cut off": {
    says: `${OK}content-length: 100\r\n\r\n{}`,
    ends: true,
    document: "connection",
    message: 200,
  },
  "more answers than questions": {
    says: endless(`${OK}content-length: 2\r\n\r\n{}`),
    document: "{}",
    message: 200,
  },
  "an answer in two chunks": {
    says: `${CHUNKED}1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`,
    document: "{}",
    message: 200,
  },
};

/** A server that says the same to whoever connects. */
async function serveRaw({ says, ends = false }: Kind) {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => ends ? socket.end(says) : socket.write(says));
  });
  await new Promise<void>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve())
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The fetcher over real sockets, and how much it took of them. */
function countingWorld() {
  let takenBytes = 0;
  const world = fetcherOf({}, {
    allowLoopback: true,
    resolve: resolvesTo("127.0.0.1"),
    connect: (secure, options) => {
      const socket = systemConnector(secure, options);
      socket.on("data", (piece: Uint8Array) => takenBytes += piece.length);
      return socket;
    },
  });
  const reason = () => JSON.parse(world.log.lines.at(-1) ?? "{}").reason;
  return { ...world, reason, takenBytes: () => takenBytes };
}

for (const [name, kind] of Object.entries(KINDS)) {
  Deno.test(`a server that answers ${name} is read no further than a document is long`, async () => {
    await using server = await serveRaw(kind);
    const { fetcher, reason, takenBytes } = countingWorld();
    const read = await fetcher.getJson(server.url, DOCUMENT_POLICY)
      .then(({ body }) => body, reason);
    assertEquals(read, kind.document);
    assert(takenBytes() <= TAKEN_BYTES_MAX, `took ${takenBytes()} bytes`);
  });

  Deno.test(`a receiver that answers ${name} is read no further than a head is long`, async () => {
    await using server = await serveRaw(kind);
    const { fetcher, reason, takenBytes } = countingWorld();
    const message = { body: "{}", headers: {}, timeoutMs: 2_000 };
    const told = await fetcher.notify(server.url, message).catch(reason);
    assertEquals(told, kind.message);
    assert(takenBytes() <= TAKEN_BYTES_MAX, `took ${takenBytes()} bytes`);
  });
}

/** A watched socket over what the test writes. */
function watched(maxBytes: number | null) {
  const socket = new PassThrough();
  const refused = Promise.withResolvers<string>();
  const watched = new WatchedSocket(socket as unknown as Socket, {
    maxBytes,
    onRefused: refused.resolve,
  });
  return { socket, watched, refused: refused.promise };
}

Deno.test("of what a server says 512 bytes are handed over in one turn of the loop", async () => {
  const { socket, watched: own, refused } = watched(null);
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  const pieces: number[] = [];
  own.on("data", (piece: Uint8Array) => pieces.push(piece.length));
  setImmediate(turn);
  socket.write("HTTP/1.1 200 OK\r\n" + "x:\r\n".repeat(16_000));
  assertEquals(await refused, "size");
  isOver = true;
  assertEquals(pieces, Array.from({ length: 16 }, () => 512));
  assert(turns >= 15, `others had ${turns} turns`);
});

Deno.test("a server that says its answer byte by byte is heard no further than 33 of them", async () => {
  const { socket, refused } = watched(5_120);
  let said = 0;
  for (const byte of `${OK}content-length: 2\r\n\r\n{}`) {
    if (socket.destroyed) break;
    said++;
    socket.write(byte);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assertEquals(await refused, "crumbs");
  assertEquals(said, 33);
});
