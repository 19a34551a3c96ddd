// @ts-check
import { createServer } from "node:http";
import { STARTED } from "./started.js";
import { EXIT, Stop } from "./stop.js";

const PATH = "/callback";

/**
 * Where the browser comes back to: a port of this machine that is open until
 * it has (RFC 8252 §7.3).
 */
export class Loopback {
  #server = createServer((request, response) => {
    const parameters = parametersOf(request);
    const isOurs = this.#state !== null &&
      parameters?.get("state") === this.#state;
    response.writeHead(isOurs ? 200 : 400, {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      connection: "close",
    });
    // Another page's guess ends nothing: the login goes on waiting.
    const text = isOurs ? "You can close this page.\n" : "Not expected.\n";
    response.end(text, () => isOurs && this.#came(parameters));
  });
  /** @type {string | null} */
  #state = null;
  /** @type {(parameters: URLSearchParams) => void} */
  #came = () => {};

  /** Opens the port and answers the address to come back to. */
  async open() {
    const server = this.#server;
    await new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", () => resolve(null));
    });
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    return `http://127.0.0.1:${port}${PATH}`;
  }

  /**
   * What the browser brought.
   *
   * @param {string} state
   * @param {number} limitMs
   * @returns {Promise<URLSearchParams>}
   */
  async answer(state, limitMs) {
    this.#state = state;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(
        () =>
          reject(
            new Stop(EXIT.signIn, "Nobody answered in the browser in time", {
              advice: `Run \`${STARTED} login\` again.`,
            }),
          ),
        limitMs,
      );
    });
    const came = new Promise((resolve) => {
      this.#came = resolve;
    });
    try {
      return /** @type {URLSearchParams} */ (await Promise.race([came, late]));
    } finally {
      clearTimeout(timer);
    }
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/**
 * What a request brought to the address to come back to; null for any other
 * request. Any page in the browser can send one, of whatever form.
 *
 * @param {import("node:http").IncomingMessage} request
 */
function parametersOf({ method, url = "" }) {
  const [path, ...queries] = url.split("?");
  const isCallback = method === "GET" && path === PATH;
  return isCallback ? new URLSearchParams(queries.join("?")) : null;
}
