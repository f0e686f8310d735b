import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { FileAnswer } from '../file-answer.ts';
import type { Route } from '../route.ts';

/** A connection that accepts no data for so long is closed. */
const STUCK_MS = 30_000;

/** Sends a file at the pace of the client. An error while sending closes the connection, so that the client notices it. */
export async function sendFile(
  route: Route,
  { stream, sizeBytes, name }: FileAnswer,
  { response, signal }: { response: Response; signal: AbortSignal },
): Promise<void> {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', route.produces!);
  response.setHeader('Content-Length', sizeBytes);
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  if (response.req.method === 'HEAD') {
    stream.destroy();
    response.end();
    return;
  }
  response.setTimeout(STUCK_MS, () => response.destroy());
  try {
    await pipeline(stream, response, { signal });
  } catch (error) {
    if (!response.destroyed) response.destroy();
    if (!signal.aborted && !response.closed) throw error;
  }
}
