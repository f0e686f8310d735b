import { admin } from './admin.ts';
import { cameras } from './cameras.ts';
import { chart } from './chart.ts';
import { enter } from './enter.ts';
import { feed } from './feed.ts';
import { history } from './history.ts';
import { keys } from './keys.ts';
import { metrics } from './metrics.ts';
import { notify } from './notify.ts';
import { now } from './now.ts';
import { privacy } from './privacy.ts';
import { recordings } from './recordings.ts';
import { rules } from './rules.ts';
import { scene } from './scene.ts';
import { schedule } from './schedule.ts';
import { common } from './shared/common.ts';
import { errors } from './shared/errors.ts';
import { shell } from './shared/shell.ts';
import { usage } from './usage.ts';
import { wall } from './wall.ts';
import { webhook } from './webhook.ts';
import { zones } from './zones.ts';

/** The texts of every screen in English. */
export const texts = {
  admin,
  cameras,
  chart,
  common,
  enter,
  errors,
  feed,
  history,
  keys,
  metrics,
  notify,
  now,
  privacy,
  recordings,
  rules,
  scene,
  schedule,
  shell,
  usage,
  wall,
  webhook,
  zones,
};
export type Texts = typeof texts;
