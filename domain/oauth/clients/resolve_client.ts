import type { FairQueue } from "../../fetching/fair_queue.ts";
import type { Services } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import type { Client, ClientAuthentication, Jwk } from "../client.ts";
import { parseClientDocument } from "./client_document.ts";
import {
  hostOfClientId,
  isClientIdUrl,
  isLocalService,
  looksLikeUrl,
  readDocumentUrl,
} from "./client_id_url.ts";
import {
  type Asker,
  DocumentReader,
  type FetchServices,
} from "./fetch_documents.ts";
import { parseJsonObject } from "./json_object.ts";
import { parseJwks } from "./jwks.ts";

/** A client that says who it is. */
export interface NamedClient {
  authentication: ClientAuthentication;
  /** Whether a user has approved it. */
  isApproved: boolean;
}

/** Finds clients and their keys. */
export interface ClientDirectory {
  /**
   * A registered client, or one described at the address that is its id. Null
   * when it is neither.
   *
   * @throws {Refused} `authorization_unusable` when there is no good document:
   * the same for every cause, so that nobody learns which hosts and ports exist
   * @throws {FetchBusy} when it could not even be asked for
   */
  resolve(clientId: string, asker: Asker): Promise<Client | null>;
  /**
   * The keys a client signs with; null when they can't be had.
   *
   * @throws {FetchBusy} when they could not even be asked for
   */
  keysOf(client: NamedClient, asker: Asker): Promise<readonly Jwk[] | null>;
}

/**
 * Makes the directory of clients of one process. Decision 0042 says what is
 * kept of clients and why.
 */
export function createClientDirectory(
  services: FetchServices & Pick<Services, "settings">,
  queue: FairQueue,
): ClientDirectory {
  const { store, settings } = services;
  const documents = new DocumentReader(services, queue);

  async function described(url: string, asker: Asker): Promise<Client> {
    const context = { url, local: isLocalService(settings) };
    const parse = (text: string) => parseClientDocument(text, context);
    const isGood = (text: string) => parse(text) !== null;
    const text = await documents.read({
      url,
      what: "client",
      isGood,
      asker,
      isApproved: false,
    });
    return (text === null ? null : parse(text)) ?? refuse({
      code: "authorization_unusable",
      message: `Cannot connect the application: ${hostOfClientId(url)} does ` +
        "not describe it in a way that can be read",
    });
  }

  return {
    async resolve(clientId, asker) {
      if (!looksLikeUrl(clientId)) {
        const client = await store.clients.find(clientId);
        return client && {
          id: client.id,
          name: client.name,
          host: null,
          redirectUris: client.redirectUris,
          authentication: { method: "none" },
        };
      }
      if (!isClientIdUrl(settings, clientId)) return null;
      return await described(clientId, asker);
    },
    async keysOf({ authentication, isApproved }, asker) {
      if (authentication.method === "none") return null;
      const { jwks, jwksUri: url } = authentication;
      if (url === null) return jwks;
      if (readDocumentUrl(settings, url) === null) return null;
      const parse = (text: string) => parseJwks(parseJsonObject(text));
      const isGood = (text: string) => parse(text) !== null;
      const text = await documents.read({
        url,
        what: "keys",
        isGood,
        asker,
        isApproved,
      });
      return text === null ? null : parse(text);
    },
  };
}
