/**
 * Hosts of models that are not ours, as agents of a person: each is given the
 * address of the server and nothing else. A run does some calls, or ends where
 * the person has to be asked; what it has to remember is printed.
 */
import process from "node:process";

// By names in a variable: Deno, which checks this folder too, has none of them.
const load = (name) => import(name);
const { auth: aiSdkAuth, createMCPClient } = await load("@ai-sdk/mcp");
const { MultiServerMCPClient } = await load("@langchain/mcp-adapters");
const { auth } = await load("@modelcontextprotocol/sdk/client/auth.js");
const { Agent, MCPServerStreamableHttp, Runner, setTracingDisabled, Usage } =
  await load("@openai/agents");

const { host, url, redirectUri, code, calls, kept } = JSON.parse(
  process.argv[2],
);

/** What hosts keep for a person, between runs as well. */
class Memory {
  authorizationUrl = null;

  get redirectUrl() {
    return redirectUri;
  }

  get clientMetadata() {
    return { client_name: host, redirect_uris: [redirectUri] };
  }

  state() {
    return crypto.randomUUID();
  }

  clientInformation() {
    return kept.information;
  }

  saveClientInformation(information) {
    kept.information = information;
  }

  tokens() {
    return kept.tokens;
  }

  saveTokens(tokens) {
    kept.tokens = tokens;
  }

  redirectToAuthorization(url) {
    this.authorizationUrl = url.href;
  }

  saveCodeVerifier(verifier) {
    kept.verifier = verifier;
  }

  codeVerifier() {
    return kept.verifier;
  }
}

/** The text that a model reads of what a tool told. */
function textOf(told) {
  if (typeof told === "string") return told;
  return textOf(Array.isArray(told) ? told[0] : told.text);
}

/** Calls of tools that a host lists, by their names. */
async function callEach(tools, execute) {
  const told = [];
  for (const [name, given] of calls) {
    const tool = tools[name];
    if (tool === undefined) throw new Error(`${name} is not listed`);
    told.push(await execute(tool, given).catch((error) => String(error)));
  }
  return { listed: Object.keys(tools), told };
}

async function aiSdk(authProvider) {
  const transport = { type: "http", url, authProvider };
  const client = await createMCPClient({ transport });
  const tools = await client.tools();
  const options = { toolCallId: "1", messages: [] };
  const done = await callEach(tools, async (tool, given) => {
    const { content } = await tool.execute(given, options);
    return content[0].text;
  });
  await client.close();
  return done;
}

async function langchain(authProvider) {
  const client = new MultiServerMCPClient({
    mcpServers: { spotlight: { transport: "http", url, authProvider } },
  });
  const listed = await client.getTools();
  const tools = Object.fromEntries(listed.map((tool) => [tool.name, tool]));
  const done = await callEach(tools, async (tool, given) => {
    return textOf(await tool.invoke(given));
  });
  await client.close();
  return done;
}

/** A model that calls what it was told to, out of the tools it is shown. */
class ScriptedModel {
  listed = [];
  told = [];
  #left = [...calls];

  getResponse({ tools, input }) {
    this.listed = tools.map(({ name }) => name);
    const last = input.at(-1);
    if (last.type === "function_call_result") {
      this.told.push(textOf(last.output));
    }
    const [name, given] = this.#left.shift() ?? [];
    if (name !== undefined && !this.listed.includes(name)) {
      throw new Error(`${name} is not listed`);
    }
    const call = {
      type: "function_call",
      callId: crypto.randomUUID(),
      name,
      status: "completed",
      arguments: JSON.stringify(given),
    };
    const done = {
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Done." }],
    };
    const output = [name === undefined ? done : call];
    return Promise.resolve({ usage: new Usage(), output });
  }
}

async function openai(authProvider) {
  setTracingDisabled(true);
  const server = new MCPServerStreamableHttp({ url, authProvider });
  await server.connect();
  const model = new ScriptedModel();
  const agent = new Agent({ name: "bidder", model, mcpServers: [server] });
  await new Runner().run(agent, "Bid for me.");
  await server.close();
  const { listed, told } = model;
  return { listed, told };
}

const HOSTS = {
  "@ai-sdk/mcp": [aiSdk, aiSdkAuth],
  "@langchain/mcp-adapters": [langchain, auth],
  "@openai/agents": [openai, auth],
};

const memory = new Memory();
const [run, exchange] = HOSTS[host];
if (code !== null) {
  await exchange(memory, { serverUrl: url, authorizationCode: code });
}
let done = { listed: [], told: [] };
try {
  done = await run(memory);
} catch (error) {
  if (memory.authorizationUrl === null) throw error;
}
const { authorizationUrl } = memory;
process.stdout.write(
  JSON.stringify({ authorizationUrl, kept, ...done }),
);
