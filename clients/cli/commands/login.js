// @ts-check
import { spawn } from "node:child_process";
import process from "node:process";
import { wholeNumber } from "../command.js";
import { keepLogin, readKept } from "../credentials.js";
import { Loopback } from "../loopback.js";
import {
  authorizationRequest,
  discover,
  exchange,
  register,
} from "../oauth.js";
import { baseUrlOf } from "../session.js";
import { STARTED } from "../started.js";
import { EXIT, Stop } from "../stop.js";

/**
 * What the service tells every client to ask for first, so that nothing has to
 * be asked for a second time.
 */
const SCOPE = "account:read account:write reports:read bids:read bids:write " +
  "creatives:read creatives:write invoices:read";
/** As long as an authorization request is open. */
const WAIT_S = 600;

/** @type {import("../command.js").Command} */
export const login = {
  usage: "login",
  wordsMax: 0,
  does: "connects this machine to an account: you approve it in the browser",
  options: {
    scope: ["string", `what to ask for; "${SCOPE}" unless told`],
    "client-id": ["string", "the address of a client metadata document"],
    wait: [
      "string",
      `whole seconds to wait for the browser; ${WAIT_S} unless told`,
    ],
    "no-browser": ["boolean", "prints the address without opening it"],
  },
  async run({ values, where, printer }) {
    const baseUrl = await baseUrlOf(where);
    const server = await discover(baseUrl);
    const kept = (await readKept()).logins[baseUrl];
    const clientId = String(
      values["client-id"] ?? kept?.clientId ?? await register(server),
    );
    const loopback = new Loopback();
    try {
      const redirectUri = await loopback.open();
      const asked = authorizationRequest(server, {
        clientId,
        redirectUri,
        scope: String(values.scope ?? SCOPE),
      });
      const waitS = wholeNumber(values.wait ?? String(WAIT_S), "--wait");
      const answer = loopback.answer(asked.state, waitS * 1_000);
      const url = asked.url.href;
      printer.result({ open: url }, [
        `To connect to ${baseUrl}, open this address in a browser:`,
        url,
      ]);
      if (!values["no-browser"] && process.stdout.isTTY) openBrowser(url);
      const code = codeOf(await answer, server);
      const tokens = await exchange(server, {
        code,
        code_verifier: asked.verifier,
        client_id: clientId,
        redirect_uri: redirectUri,
      });
      await keepLogin(baseUrl, {
        authUrl: server.issuer,
        tokenUrl: server.token_endpoint,
        revocationUrl: server.revocation_endpoint,
        clientId,
        tokens,
      });
      printer.result({ connected: baseUrl, scope: tokens.scope }, [
        `Connected to ${baseUrl}. Allowed: ${tokens.scope}`,
        `Next: See whether you may bid: ${STARTED} me`,
      ]);
    } finally {
      loopback.close();
    }
  },
};

/**
 * @param {URLSearchParams} answer
 * @param {import("../oauth.js").Server} server
 */
function codeOf(answer, server) {
  const iss = answer.get("iss");
  const wantsIss = server.authorization_response_iss_parameter_supported;
  if (iss === null ? wantsIss : iss !== server.issuer) {
    throw new Stop(EXIT.refused, "The answer is not one of this service", {
      advice: `Nothing was connected. Run \`${STARTED} login\` again.`,
    });
  }
  const code = answer.get("code");
  if (code !== null) return code;
  const error = answer.get("error") ?? "no code";
  const why = answer.get("error_description") ?? error;
  throw new Stop(
    EXIT.refused,
    error === "access_denied"
      ? "It was not approved in the browser"
      : `The service did not connect this machine: ${why}`,
    {
      code: error,
      advice: `Run \`${STARTED} login\` again to be asked again.`,
    },
  );
}

/** @param {string} url */
function openBrowser(url) {
  const [command, ...args] = process.platform === "darwin"
    ? ["open", url]
    : process.platform === "win32"
    ? ["rundll32", "url.dll,FileProtocolHandler", url]
    : ["xdg-open", url];
  const child = spawn(command ?? "", args, {
    stdio: "ignore",
    detached: true,
  });
  // The address was printed: whoever has no browser here opens it elsewhere.
  child.on("error", () => {});
  child.unref();
}
