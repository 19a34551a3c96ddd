/**
 * Whether an If-None-Match header names the entity tag, so that 304 is the
 * answer (RFC 9110 §13.1.2). Tags are compared weakly: a proxy that compressed
 * the answer made them weak.
 */
export function isNoneMatch(header: string, etag: string): boolean {
  const wanted = opaque(etag);
  if (header === etag) return true;
  if (header.trim() === "*") return true;
  // A tag may contain commas, so the list is read tag by tag.
  for (const [tag] of header.matchAll(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g)) {
    if (opaque(tag) === wanted) return true;
  }
  return false;
}

function opaque(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
