/**
 * The rows of a backup, as lines: without its first and last line, which say
 * when it was made, and without the hold of the store it was made of.
 */
export function backupRows(text: string): string[] {
  return text.trimEnd().split("\n").slice(1, -1)
    .filter((line) => !line.startsWith('[["hold"],'));
}
