import { expect, test } from '@jest/globals';
import { type Happened, type Outcome, outcomeOf } from '../../../src/analytics/advice/outcome.ts';

const target = { waitSeconds: 180, share: 0.9 };
const TABLE: [string, Outcome, number, Happened][] = [
  ['opened', 'followed', 1, { lateShare: 0.02, openTills: 2.6, servingTills: 2 }],
  ['not opened, and missed', 'helpful', 1, { lateShare: 0.3, openTills: 2.1, servingTills: 2 }],
  ['not opened, and kept', 'needless', 1, { lateShare: 0.1, openTills: 2, servingTills: 2 }],
  ['closed', 'followed', -1, { lateShare: 0.3, openTills: 1.4, servingTills: 1.4 }],
  ['not closed, and little to do', 'helpful', -1, { lateShare: 0, openTills: 2, servingTills: 0.6 }],
  ['not closed, and much to do', 'needless', -1, { lateShare: 0, openTills: 2, servingTills: 1.2 }],
  ['not closed, and missed', 'needless', -1, { lateShare: 0.2, openTills: 2, servingTills: 0.6 }],
  ['nobody joined', 'unknown', 1, { lateShare: null, openTills: 2, servingTills: 0 }],
  ['not seen', 'unknown', 1, { lateShare: 0.5, openTills: null, servingTills: null }],
];

test.each(TABLE)('%s: %s', (_, outcome, tills, happened) => {
  expect(outcomeOf({ tills, openTills: 2, target }, happened)).toBe(outcome);
});
