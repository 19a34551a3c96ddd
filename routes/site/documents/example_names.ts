/**
 * Blocks of commands use names that those of "Run the examples" define. Where
 * all is one page they stand above; a topic of its own has to say so.
 *
 * @module
 */

/** The topic whose blocks come before all others. */
const EXAMPLES_SLUG = "run-the-examples";

const BLOCK = /^```sh run\n([^]*?)^```$/gm;

/** What stands in the blocks of a part, without what they answer. */
function commandsOf(source: string): string {
  return [...source.matchAll(BLOCK)].map(([, commands = ""]) =>
    commands.replaceAll(/^# →.*$/gm, "")
  ).join("\n");
}

/** The names that the blocks of a part define. */
function definedIn(source: string): string[] {
  const words = commandsOf(source).split(/[\s;]+/);
  return words.flatMap((word) => {
    const [, name] = /^([A-Za-z_]+)(?:=|\(\))/.exec(word) ?? [];
    return name ?? [];
  });
}

/** Which of the names a part uses and does not define before it does. */
function usedIn(source: string, names: readonly string[]): string[] {
  const uses = commandsOf(source)
    .matchAll(/\$(?:([A-Za-z_]\w*)|\(([A-Za-z_]\w*)\))/g);
  const used = new Set([...uses].map(([, name, called]) => name ?? called));
  const own = definedIn(source);
  return names.filter((name) => used.has(name) && !own.includes(name));
}

/**
 * The document, with what to paste first at the top of each part that uses
 * what the examples define.
 */
export function withExamplesFirst(markdown: string): string {
  const parts = markdown.split(/^(?=## )/m);
  const examples = parts.find((part) => part.startsWith(EXAMPLES_HEADING));
  if (examples === undefined) return markdown;
  const names = definedIn(examples);
  return parts.map((part) => {
    const used = part === examples ? [] : usedIn(part, names);
    return used.length === 0 ? part : part.replace("\n", `\n\n${first(used)}`);
  }).join("");
}

const EXAMPLES_HEADING = "## Run the examples\n";

function first(used: readonly string[]): string {
  const listed = used.map((name) => `\`${name}\``).join(", ");
  return `> First paste the blocks of [Run the examples](#${EXAMPLES_SLUG}): ` +
    `those below use ${listed} of them.\n`;
}
