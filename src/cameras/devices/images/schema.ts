import { z } from 'zod';
import { id, orNothing } from '../../../http/fields.ts';

const WIDEST = 960;
/** The widths in which live pictures are made. */
const LIVE_WIDTHS = [320, 640, WIDEST] as const;

const width = z.coerce.number().int().min(64).max(1920);

/** @returns the width in which a live picture is made for a client that asks for this one */
export const liveWidth = (wanted: number): number => LIVE_WIDTHS.find((each) => each >= wanted) ?? WIDEST;

export const liveQuery = z.object({
  fps: z.coerce.number().int().min(1).max(15).default(5).meta({
    description: 'Most pictures per second, 1-15; never more than the frames that are analysed',
  }),
  width: width.default(640).meta({
    description: `Width in pixels, 64-1920. Pictures are ${LIVE_WIDTHS.join(', ')} pixels wide, the next larger one of the wanted width, and never larger than the frame`,
  }),
});

export const frameQuery = z.object({
  width: width.optional().meta({
    description: 'Width in pixels, 64-1920; an image is never enlarged',
  }),
  sceneId: id().optional().meta({ description: 'Draw the zones of this scene of the device' }),
  orNothing: orNothing('503'),
});
