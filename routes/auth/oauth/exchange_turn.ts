import {
  findShownGrant,
  namedIn,
} from "../../../domain/oauth/find_shown_grant.ts";
import type { ExchangeServices } from "../../../domain/oauth/issue_tokens.ts";
import type { Parameters } from "../../../domain/oauth/parameters.ts";
import type { InTurn } from "../../../domain/operations/transact_in_turn.ts";
import type { Services } from "../../../domain/ports.ts";
import type { RouteServices } from "../../context.ts";
import { lookUpTurn } from "../../middleware/look_up_turn.ts";
import type { RouteContext } from "../../route_table.ts";

/** The turns in which what a form shows is looked up, and exchanged. */
export class ExchangeTurn {
  /** The one of the client's network. */
  readonly lookUp: InTurn;
  readonly #parts: RouteServices;
  readonly #form: Parameters;
  readonly #named: string;
  #isProven = false;

  constructor(context: RouteContext, parts: RouteServices, form: Parameters) {
    this.#parts = parts;
    this.#form = form;
    this.#named = namedIn(form);
    this.lookUp = lookUpTurn(context, parts, this.#named);
  }

  /** The grant that is shown; null for what was made up. */
  async findGrant(): Promise<string | null> {
    const { services } = this.#parts;
    const id = await findShownGrant(services, this.#form);
    this.#isProven = id !== null;
    return id;
  }

  /**
   * What exchanges and ends tokens. All that show tokens of one grant at once would
   * race for its row, so that they take turns. Only what has proved itself waits for
   * that one: others are told which grants there are, and would keep its client
   * waiting. It is proved only where there is somebody to wait for, since it costs
   * a journey to the store.
   */
  get services(): ExchangeServices {
    const { clock, ids, keys, log, settings, store } = this.#parts.services;
    const transact: Services["store"]["transact"] = (verb) =>
      this.#run(() => store.transact(verb));
    const { isEmbedded } = store;
    return { clock, ids, keys, log, settings, store: { transact, isEmbedded } };
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    const { limiter } = this.#parts;
    const inTurn = () => limiter.inTurn("exchange", this.#named, work);
    if (this.#isProven) return await inTurn();
    const told = await this.lookUp(async () => {
      if (limiter.isFree("exchange", this.#named)) {
        return { ended: await inTurn() };
      }
      const grantId = await this.findGrant();
      // What was made up changes nothing.
      return grantId === null ? { ended: await work() } : null;
    });
    return told === null ? await inTurn() : told.ended;
  }
}
