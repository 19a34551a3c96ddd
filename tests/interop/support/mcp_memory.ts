/** How a client of the MCP libraries introduces itself. */
export interface McpIdentity {
  redirectUri: string;
  /** The address of its metadata document; without one it registers. */
  documentUrl?: string | undefined;
}

/**
 * What the MCP libraries ask their host to keep for them, kept in memory. The
 * shapes are theirs and are given back as they came.
 */
export class McpMemory<Information, Tokens, Discovery> {
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
  /** Where the user has to go. */
  authorizationUrl: URL | null = null;
  #information: Information | undefined;
  #tokens: Tokens | undefined;
  #verifier = "";
  #discovery: Discovery | undefined;

  constructor({ redirectUri, documentUrl }: McpIdentity) {
    this.redirectUrl = redirectUri;
    if (documentUrl !== undefined) this.clientMetadataUrl = documentUrl;
  }

  get clientMetadata(): { client_name: string; redirect_uris: string[] } {
    return { client_name: "MCP agent", redirect_uris: [this.redirectUrl] };
  }

  state(): string {
    return crypto.randomUUID();
  }

  clientInformation(): Information | undefined {
    return this.#information;
  }

  saveClientInformation(information: Information): void {
    this.#information = information;
  }

  tokens(): Tokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: Tokens): void {
    this.#tokens = tokens;
  }

  /** Forgets what is no good any more, as hosts do. */
  invalidateCredentials(what: string): void {
    if (what === "all" || what === "tokens") this.#tokens = undefined;
    if (what === "all" || what === "client") this.#information = undefined;
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  discoveryState(): Discovery | undefined {
    return this.#discovery;
  }

  saveDiscoveryState(state: Discovery): void {
    this.#discovery = state;
  }
}
