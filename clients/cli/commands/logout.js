// @ts-check
import { keepLogin, readKept } from "../credentials.js";
import { revoke } from "../oauth.js";
import { baseUrlOf } from "../session.js";
import { EXIT, Stop } from "../stop.js";

/** @type {import("../command.js").Command} */
export const logout = {
  usage: "logout",
  wordsMax: 0,
  does: "ends the connection and forgets its tokens",
  options: {},
  async run({ where, printer }) {
    const baseUrl = await baseUrlOf(where);
    const login = (await readKept()).logins[baseUrl];
    if (!login?.tokens) {
      printer.result({ disconnected: baseUrl }, [
        `This machine is not connected to ${baseUrl}.`,
      ]);
      return;
    }
    const { revocationUrl, clientId, tokens } = login;
    const { refresh } = tokens;
    const ended = await revoke(revocationUrl, { clientId, refresh })
      .then(() => true, () => false);
    await keepLogin(baseUrl, { ...login, tokens: null });
    if (!ended) {
      throw new Stop(
        EXIT.notReached,
        "The tokens are forgotten here, but the service could not be told",
        { advice: `End the connection at ${baseUrl}/agents in a browser.` },
      );
    }
    printer.result({ disconnected: baseUrl }, [
      `Disconnected from ${baseUrl}. Bids that were accepted stand.`,
    ]);
  },
};
