/**
 * What the recommended rules of redocly and of spectral say of documents in this
 * folder, warnings included: a list for each of the names that are given.
 */
import { readFile } from "node:fs/promises";
import process from "node:process";

// By names in a variable: Deno, which checks this folder too, has none of them.
const load = (name) => import(name);
const { createConfig, lintFromString } = await load("@redocly/openapi-core");
const { default: core } = await load("@stoplight/spectral-core");
const { default: rulesets } = await load("@stoplight/spectral-rulesets");

const config = await createConfig({ extends: ["recommended"] });
const spectral = new core.Spectral();
spectral.setRuleset({ extends: [rulesets.oas] });

async function lint(name) {
  const source = await readFile(name, "utf8");
  const problems = await lintFromString({ source, absoluteRef: name, config });
  const results = await spectral.run(JSON.parse(source));
  return [
    ...problems.map(({ ruleId, location, message }) =>
      `${ruleId} ${location[0]?.pointer}: ${message}`
    ),
    ...results.map(({ code, path, message }) =>
      `${code} ${path.join(".")}: ${message}`
    ),
  ];
}

const said = [];
for (const name of JSON.parse(process.argv[2])) said.push(await lint(name));
// deno-lint-ignore no-console -- this is its answer
console.log(JSON.stringify(said));
