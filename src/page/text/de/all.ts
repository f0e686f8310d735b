import type { Rest } from '../en/all.ts';
import { admin } from './admin.ts';
import { cameras } from './cameras.ts';
import { chart } from './chart.ts';
import { display } from './display.ts';
import { feed } from './feed.ts';
import { history } from './history.ts';
import { keys } from './keys.ts';
import { metrics } from './metrics.ts';
import { notify } from './notify.ts';
import { privacy } from './privacy.ts';
import { recordings } from './recordings.ts';
import { rules } from './rules.ts';
import { check } from './scene/check.ts';
import { scene } from './scene/scene.ts';
import { zones } from './scene/zones.ts';
import { schedule } from './schedule.ts';
import { tills } from './shared/tills.ts';
import { usage } from './usage.ts';
import { webhook } from './webhook.ts';

/** The texts in German, besides those of `shared/first.ts`. */
export const texts: Rest = {
  admin,
  cameras,
  chart,
  check,
  display,
  feed,
  history,
  keys,
  metrics,
  notify,
  privacy,
  recordings,
  rules,
  scene,
  schedule,
  tills,
  usage,
  webhook,
  zones,
};
