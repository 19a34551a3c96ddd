import type { Html } from "../../pages/html.ts";

/** A way on: where it leads, what it is called, and how it stands to this page. */
export type Way = readonly [href: string, name: string, rel?: "next" | "prev"];

/** Ways on from a part of a list, as to its older part; nothing where there is none. */
export function Around(
  { label, ways }: { label: string; ways: readonly (Way | false)[] },
): Html | null {
  const open = ways.filter((way) => way !== false);
  if (open.length === 0) return null;
  return (
    <nav class="around" aria-label={label}>
      {open.map(([href, name, rel]) => (
        <a href={href} {...rel !== undefined && { rel }}>{name}</a>
      ))}
    </nav>
  );
}
