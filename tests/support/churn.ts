/**
 * Lets what lives long churn, with something of 2 KB hanging from each entry, so
 * that V8's trace tells whether any of it outlives its use. Its only argument
 * says what: `deadlines` or `rows`.
 *
 * @module
 */
import { sharedDeadlines } from "../../domain/operations/shared_deadlines.ts";
import { RememberedRows } from "../../kv/remembered_rows.ts";

const TIMES = 100_000;
const AT_ONCE = 32;

const something = (): number[] => new Array(250).fill(0);

if (import.meta.main) main(Deno.args[0]);

function main(what: string | undefined): void {
  const churn = what === "rows" ? churnOfRows() : churnOfDeadlines();
  for (let nth = 0; nth < AT_ONCE; nth++) churn();
  // What stays for so long becomes old.
  for (let nth = 0; nth < TIMES / 2; nth++) something();
  for (let nth = 0; nth < TIMES; nth++) churn();
}

function churnOfDeadlines(): () => void {
  const deadline = sharedDeadlines({
    nowMs: () => performance.now(),
    startTimer: () => () => {},
  });
  const begun: (() => void)[] = [];
  return () => {
    const request = something();
    begun.push(deadline(60_000, () => void request.pop()));
    if (begun.length > AT_ONCE) begun.shift()?.();
  };
}

function churnOfRows(): () => void {
  const rows = new RememberedRows(["a"], 1_000);
  let nth = 0;
  return () => {
    const key = ["a", nth++ % AT_ONCE];
    rows.note([{ kind: "set", key, value: something() }], "v");
  };
}
