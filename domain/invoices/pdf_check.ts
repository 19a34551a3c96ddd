/** Where the end of a PDF is looked for: readers do the same. */
const TAIL_BYTES = 1_024;

const latin1 = new TextDecoder("latin1");

/**
 * Whether bytes begin and end as a PDF does: not an error page that was sent
 * in its place, nor a file that was cut off.
 */
export function isWholePdf(bytes: Uint8Array): boolean {
  const head = latin1.decode(bytes.subarray(0, 8));
  const tail = latin1.decode(bytes.subarray(-TAIL_BYTES));
  return head.startsWith("%PDF-") && tail.includes("%%EOF");
}
