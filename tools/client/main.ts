/**
 * `deno task client`: writes `clients/generated/` anew from openapi.json, as
 * the service publishes it.
 *
 * @module
 */
import { openapiDocument } from "../../routes/discovery/openapi/document.ts";
import { ROOT } from "../own_modules.ts";
import { tableText, typesText } from "./operations.ts";

const FOLDER = `${ROOT}clients/generated/`;

/** Where this document says that the service is: the client asks elsewhere. */
const SETTINGS = {
  baseUrl: "https://spotlight.example",
  authUrl: "https://auth.spotlight.example",
  seller: {
    name: "Spotlight",
    address: "",
    country: "DE",
    vatId: "",
    email: "mail@spotlight.example",
  },
};

if (import.meta.main) {
  for (const [name, text] of Object.entries(await generatedFiles())) {
    await Deno.writeTextFile(FOLDER + name, text);
  }
}

/** The files of the folder, by their names, as `deno fmt` leaves them. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const document = JSON.parse(JSON.stringify(openapiDocument(SETTINGS)));
  return {
    "operations.js": await formatted("js", tableText(document)),
    "types.d.ts": await formatted("ts", typesText(document)),
  };
}

async function formatted(ext: string, text: string): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", `--ext=${ext}`, "-"],
    cwd: ROOT,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  if (code === 0) return decoder.decode(stdout);
  throw new Error(`Cannot format the client: ${decoder.decode(stderr)}`);
}
