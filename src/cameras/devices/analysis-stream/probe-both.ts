import { readNetworks } from '../../../access/networks.ts';
import { invalidField } from '../../../http/errors.ts';
import type { Context } from '../../../platform/context.ts';
import { isSameShape, otherShape } from '../../../video/same-shape.ts';
import { makeCameraAccess } from '../camera-access.ts';
import { type ProbedPresence, probeStream } from '../probe-stream.ts';

/**
 * Probes both streams of a camera at the same time, before its second address is stored.
 * @returns what the probe of the main stream has found
 * @throws ApiError VALIDATION_ERROR when the second stream cannot be read although the main one can, or has another shape
 */
export async function probeBoth(
  { db, shared }: Pick<Context, 'db' | 'shared'>,
  userId: string,
  { streamUrl, analysisStreamUrl }: { streamUrl: string; analysisStreamUrl: string },
): Promise<ProbedPresence> {
  const networks = await readNetworks(db, userId);
  const cameras = shared.get(makeCameraAccess);
  const probe = (url: string) => probeStream(url, cameras, { networks });
  const [main, analysis] = await Promise.all([probe(streamUrl), probe(analysisStreamUrl)]);
  // While the whole camera is off, nothing can be said about its second stream.
  if (main.onlineStatus === 'online' && analysis.fault)
    throw invalidField('analysisStreamUrl', `cannot be read. ${analysis.fault.sentence}`);
  if (main.info && analysis.info && !isSameShape(main.info, analysis.info))
    throw invalidField('analysisStreamUrl', otherShape(analysis.info, main.info));
  return main;
}
