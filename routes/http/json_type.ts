const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** Whether a request says that its body is JSON, whatever its parameters. */
export function saysJson({ headers }: Request): boolean {
  return JSON_TYPE.test(headers.get("content-type") ?? "");
}
