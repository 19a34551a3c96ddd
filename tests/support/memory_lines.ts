import type { LineWriter } from "../../routes/line_writer.ts";

/** A log that keeps its lines. */
export class MemoryLines implements LineWriter {
  /** What was written, in order. */
  readonly lines: string[] = [];

  write(line: string): void {
    this.lines.push(line);
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  /** Everything written, as one text. */
  get text(): string {
    return this.lines.join("\n");
  }
}
