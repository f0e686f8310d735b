/** A body as people read it: JSON with line breaks, everything else as it came. */
export function readableBody(body: unknown): string {
  if (typeof body !== 'string') return JSON.stringify(body, null, 2);
  const start = body.trimStart()[0];
  if (start !== '{' && start !== '[') return body;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
