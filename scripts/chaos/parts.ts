import { alerts } from './alerts.ts';
import { cameras } from './cameras.ts';
import { kills } from './kills.ts';
import { outage } from './outage.ts';
import type { Part } from './part.ts';
import { restarts } from './restarts.ts';
import { starts } from './starts.ts';

/** Every part of `npm run chaos`, in the order of its help. */
export const PARTS: readonly Part[] = [starts, kills, restarts, cameras, alerts, outage];
