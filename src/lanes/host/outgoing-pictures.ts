import { type GrabOptions, grabFrame } from '../../video/grab-frame.ts';
import { framePicture } from '../../video/picture/frame-picture.ts';
import { modelInputOf } from '../../video/picture/model-input.ts';
import type { Detector } from '../../vision/detect/detector.ts';
import { MIN_SCORE } from '../../vision/pipeline.ts';
import type { Privacy } from '../../vision/privacy.ts';
import type { Box } from '../../vision/types.ts';
import type { Turns } from '../turns.ts';
import { peopleIn } from './people-seen.ts';

/** A picture and the time of its frame. */
export interface CapturedPicture {
  readonly jpeg: Buffer;
  readonly capturedAtMs: number;
  readonly privacyRevision: number;
}

export interface GrabTools {
  readonly detector: Detector;
  readonly turns: Turns;
}

/**
 * An image of a stream that no camera of this lane reads. Where people are hidden, the detector looks for them in this one
 * frame; if it cannot, the whole image becomes a mosaic.
 * @throws StreamError
 */
export async function grabbedPicture(
  url: string,
  privacy: Privacy,
  { detector, turns, ...options }: GrabOptions & GrabTools,
): Promise<Buffer> {
  const frame = await grabFrame(url, options);
  const find = async (): Promise<Box[]> => {
    const { model, letterbox } = modelInputOf(frame, detector);
    return peopleIn(await detector.detect(model, letterbox, MIN_SCORE));
  };
  const people = privacy.blurPeople === 'none' ? null : await turns.take(find).catch(() => null);
  return framePicture(frame, { ...privacy, people });
}
