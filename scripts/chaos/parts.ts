import { alerts } from './alerts.ts';
import { cameras } from './cameras.ts';
import { frozen } from './frozen.ts';
import { fullDisk } from './full-disk.ts';
import { keyFrames } from './key-frames.ts';
import { kills } from './kills.ts';
import { locked } from './locked.ts';
import { outage } from './outage.ts';
import { overload } from './overload.ts';
import type { Part } from './part.ts';
import { pictures } from './pictures.ts';
import { restarts } from './restarts.ts';
import { starts } from './starts.ts';

/** Every part of `npm run chaos`, in the order of its help. */
export const PARTS: readonly Part[] = [
  starts,
  kills,
  frozen,
  locked,
  restarts,
  cameras,
  keyFrames,
  pictures,
  alerts,
  outage,
  fullDisk,
  overload,
];
