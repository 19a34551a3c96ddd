/**
 * A plugin of Deno's linter that complains of every place that could be
 * changed, each message being what would stand there instead. So modules are
 * read by the parser that comes with Deno.
 *
 * @module
 */

type Node = Exclude<
  Deno.lint.Node,
  Deno.lint.LineComment | Deno.lint.BlockComment
>;

/** What operators become; "" leaves the right side out. */
const OPERATORS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "",
  "-": "",
  "*": "",
  "/": "",
  "%": "",
};

/** What methods become; "" leaves the call out. */
const METHODS: Readonly<Record<string, string>> = {
  max: "min",
  min: "max",
  some: "every",
  every: "some",
  filter: "",
  toSorted: "",
};

/** How a branch ends that goes no further. */
const ENDINGS = /^(Return|Throw|Continue|Break)Statement$/;

const plugin: Deno.lint.Plugin = {
  name: "mutate",
  rules: { all: { create: visitorOf } },
};

export default plugin;

function visitorOf(context: Deno.lint.RuleContext): Deno.lint.LintVisitor {
  const textOf = (node: Node) => context.sourceCode.getText(node);
  const put = (node: Node, message: string) => {
    if (!isOfInvariant(node, textOf)) {
      context.report({ range: node.range, message });
    }
  };
  const negate = (test: Node) => {
    const isEquality = test.type === "BinaryExpression" &&
      /^[!=]==$/.test(test.operator);
    if (!isEquality && !isNot(test)) put(test, `!(${textOf(test)})`);
  };
  return {
    BinaryExpression(node) {
      const [left, right] = [textOf(node.left), textOf(node.right)];
      const other = OPERATORS[node.operator];
      if (other === undefined) return;
      put(node, other === "" ? left : `${left} ${other} ${right}`);
    },
    LogicalExpression(node) {
      if (node.operator !== "??") put(node, textOf(node.left));
      put(node, textOf(node.right));
    },
    UnaryExpression(node) {
      if (isNot(node)) put(node, textOf(node.argument));
    },
    IfStatement({ test, consequent, alternate, range }) {
      if (alternate !== null || !isGuard(consequent)) negate(test);
      else context.report({ range, message: ";" });
    },
    ConditionalExpression: ({ test }) => negate(test),
    Literal(node) {
      const { value, parent } = node;
      if (parent.type === "TSLiteralType") return;
      if (typeof value === "boolean") put(node, String(!value));
      if (typeof value !== "number") return;
      // The parser does not read 1_000.
      const number = Number(textOf(node).replaceAll("_", ""));
      put(node, String(number + 1));
      if (number > 0) put(node, String(number - 1));
    },
    CallExpression({ callee, range }) {
      if (callee.type !== "MemberExpression") return;
      const { object, property } = callee;
      const other = METHODS[textOf(property)];
      if (other === "") context.report({ range, message: textOf(object) });
      else if (other !== undefined) put(property, other);
    },
    ExpressionStatement(node) {
      const { expression, parent } = node;
      // Without it the guard does what it does when it is left out.
      if (parent.type === "IfStatement" && parent.alternate === null) return;
      const called = expression.type === "AwaitExpression"
        ? expression.argument
        : expression;
      if (called.type === "CallExpression") put(node, ";");
    },
  };
}

function isNot(node: Node): boolean {
  return node.type === "UnaryExpression" && node.operator === "!";
}

/** Whether a branch ends what it is in, by a refusal for instance. */
function isGuard(branch: Deno.lint.Statement): boolean {
  const last = branch.type === "BlockStatement" ? branch.body.at(-1) : branch;
  return last !== undefined && (ENDINGS.test(last.type) ||
    (last.type === "ExpressionStatement" &&
      last.expression.type === "CallExpression"));
}

/** What holds whatever happens can't be seen to fail. */
function isOfInvariant(node: Node, textOf: (node: Node) => string): boolean {
  if (textOf(node).startsWith("invariant(")) return true;
  return node.type !== "Program" && isOfInvariant(node.parent as Node, textOf);
}
