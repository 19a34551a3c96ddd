/**
 * What the recommended rules of redocly and of spectral say of openapi.json in
 * this folder, warnings included.
 */
import { readFile } from "node:fs/promises";

// By names in a variable: Deno, which checks this folder too, has none of them.
const load = (name) => import(name);
const { createConfig, lintFromString } = await load("@redocly/openapi-core");
const { default: core } = await load("@stoplight/spectral-core");
const { default: rulesets } = await load("@stoplight/spectral-rulesets");

const source = await readFile("openapi.json", "utf8");

const config = await createConfig({ extends: ["recommended"] });
const problems = await lintFromString({
  source,
  absoluteRef: "openapi.json",
  config,
});
const redocly = problems.map(({ ruleId, severity, message, location }) =>
  `${severity} ${ruleId} ${location[0]?.pointer}: ${message}`
);

const spectral = new core.Spectral();
spectral.setRuleset({ extends: [rulesets.oas] });
const results = await spectral.run(JSON.parse(source));
const told = results.map(({ code, severity, path, message }) =>
  `${severity} ${code} ${path.join(".")}: ${message}`
);

console.log(JSON.stringify({ redocly, spectral: told }));
