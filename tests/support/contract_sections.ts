/** The numbered headings of a page in its order, such as `7.7 Place a bid`. */
export function headingsIn(page: string): string[] {
  return [...page.matchAll(/^#{2,3} (\d+(?:\.\d+)? .+)$/gm)].map(
    ([, heading = ""]) => heading,
  );
}
