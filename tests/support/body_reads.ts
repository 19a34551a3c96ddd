/** How a request is called. */
const REQUEST = /(?:^|\.|\b)(?:req|request|raw)$/i;
const MEMBER = /(?:req|request|raw)\??\.body$/i;
const METHOD =
  /\.(?:json|text|formData|arrayBuffer|blob|bytes|parseBody|valid)\(\)$/;

/**
 * What in a module may read a body, as it is written: `answer.text()`,
 * `request.body`, `{ body } = request`.
 */
export function bodyReadsOf(path: string, source: string): string[] {
  const reads: string[] = [];
  const written = ({ range }: { range: [number, number] }) =>
    source.slice(...range);
  const plugin: Deno.lint.Plugin = {
    name: "body-reads",
    rules: {
      reads: {
        create: () => ({
          MemberExpression(node) {
            if (MEMBER.test(written(node))) reads.push(written(node));
          },
          CallExpression(node) {
            if (METHOD.test(written(node))) reads.push(written(node));
          },
          VariableDeclarator({ id, init }) {
            if (init === null || id.type !== "ObjectPattern") return;
            if (!/\bbody\b/.test(written(id))) return;
            if (!REQUEST.test(written(init))) return;
            reads.push(`${written(id)} = ${written(init)}`);
          },
        }),
      },
    },
  };
  Deno.lint.runPlugin(plugin, path, source);
  return reads;
}
