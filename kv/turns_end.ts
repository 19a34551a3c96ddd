/**
 * Makes of a function one that runs at the end of this turn of the event loop,
 * once however often it is asked for until then. Requests arrive, and answers
 * of the store come back, several in a turn: what they lead to goes together.
 */
export function atTurnsEnd(run: () => void): () => void {
  let planned = false;
  return () => {
    if (planned) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      run();
    });
  };
}
