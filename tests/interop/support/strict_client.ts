import * as oauth from "oauth4webapi";
import type { InteropWorld } from "./world.ts";

/** What the authorization endpoint is asked, beside what every client asks. */
export type Asked = Readonly<Record<string, string>>;

/** An authorization request under way. */
export interface Begun {
  url: URL;
  state: string;
  verifier: string;
}

/** Who the client is. */
export interface ClientIdentity {
  client: oauth.Client;
  auth: oauth.ClientAuth;
}

/**
 * A client made of oauth4webapi, which refuses whatever the standards do not
 * allow in an answer.
 */
export class StrictClient {
  readonly #world: InteropWorld;
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly #auth: oauth.ClientAuth;
  readonly options: { [oauth.allowInsecureRequests]: true };

  constructor(
    world: InteropWorld,
    server: oauth.AuthorizationServer,
    { client, auth }: ClientIdentity,
  ) {
    this.#world = world;
    this.server = server;
    this.client = client;
    this.#auth = auth;
    this.options = strictOptions(world);
  }

  /** Where the user is sent. */
  async begin(asked: Asked = {}): Promise<Begun> {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const url = new URL(this.server.authorization_endpoint ?? "");
    url.search = new URLSearchParams({
      response_type: "code",
      client_id: this.client.client_id,
      redirect_uri: this.#world.callback.redirectUri,
      code_challenge: challenge,
      code_challenge_method: "S256",
      state,
      ...asked,
    }).toString();
    return { url, state, verifier };
  }

  /** Checks what the user came back with; iss and state included. */
  accept({ state }: Begun): URLSearchParams {
    const back = this.#world.callback.take();
    return oauth.validateAuthResponse(this.server, this.client, back, state);
  }

  /** Exchanges the code. */
  async redeem(
    begun: Begun,
    parameters: URLSearchParams,
    additional: Asked = {},
  ): Promise<oauth.TokenEndpointResponse> {
    const response = await oauth.authorizationCodeGrantRequest(
      this.server,
      this.client,
      this.#auth,
      parameters,
      this.#world.callback.redirectUri,
      begun.verifier,
      { ...this.options, additionalParameters: { ...additional } },
    );
    const { server, client } = this;
    return await oauth.processAuthorizationCodeResponse(
      server,
      client,
      response,
    );
  }

  /** Exchanges a refresh token. */
  async refresh(
    refreshToken: string | undefined,
    additional: Asked = {},
  ): Promise<oauth.TokenEndpointResponse> {
    const response = await oauth.refreshTokenGrantRequest(
      this.server,
      this.client,
      this.#auth,
      refreshToken ?? "",
      { ...this.options, additionalParameters: { ...additional } },
    );
    const { server, client } = this;
    return await oauth.processRefreshTokenResponse(server, client, response);
  }

  /** Revokes a token. */
  async revoke(token: string | undefined): Promise<void> {
    const { server, client, options } = this;
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(
        server,
        client,
        this.#auth,
        token ?? "",
        options,
      ),
    );
  }

  /** Asks the agent API. */
  async call(path: string, accessToken: string): Promise<Response> {
    const url = new URL(path, this.#world.authUrl);
    return await oauth.protectedResourceRequest(
      accessToken,
      "GET",
      url,
      undefined,
      null,
      this.options,
    );
  }
}

/** Options of every request: http on this machine, and all is noted. */
export function strictOptions({ book }: Pick<InteropWorld, "book">) {
  return {
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: book.fetch,
  } as const;
}

/** Reads the server's metadata by its issuer. */
export async function discover(
  world: InteropWorld,
): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(world.authUrl);
  const response = await oauth.discoveryRequest(issuer, {
    algorithm: "oauth2",
    ...strictOptions(world),
  });
  return await oauth.processDiscoveryResponse(issuer, response);
}

/** Registers a public client of that name. */
export async function registerStrict(
  world: InteropWorld,
  clientName: string,
  redirectUri = world.callback.redirectUri,
): Promise<StrictClient> {
  const server = await discover(world);
  const response = await oauth.dynamicClientRegistrationRequest(server, {
    client_name: clientName,
    redirect_uris: [redirectUri],
  }, strictOptions(world));
  const client = await oauth.processDynamicClientRegistrationResponse(response);
  return new StrictClient(world, server, { client, auth: oauth.None() });
}
