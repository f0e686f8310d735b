import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';

const RANGED = { value: 97.4, from: 89.6, to: 99.4 };
const FIGURES = {
  ...{ stills: 39, exactPercent: { value: 74.1, from: 58.9, to: 85.1 }, withinOnePercent: RANGED },
  ...{ bias: { value: -0.2, from: -0.4, to: 0 }, lengthErrorPercent: 11.2 },
  lengthError: { value: 11.2, from: 7.9, to: 16.4 },
  ...{ meanOurs: 2.3, meanTheirs: 2.5, mostTheirs: 7, goodFrom: 4 },
};
const RESULT = {
  ...{ waiting: FIGURES, served: null, skipped: 1 },
  agreement: { stills: 12, exactPercent: 83.3, withinOnePercent: 100 },
  conditions: { darkPercent: 0, crowdedPercent: 7.5, emptyPercent: 22.5 },
};
const CHECK = {
  ...{ id: ID.check, sceneId: ID.scene, kind: 'stills', status: 'finished', endReason: 'complete' },
  ...{ wantedStills: 40, takenStills: 40, missedMoments: 0, keepsWrongStills: true, showsPeople: false },
  hasView: true,
  ...{ startedAt: TIME.started, endsAt: '2026-01-31T15:14:59.750Z', collectedAt: '2026-01-31T15:09:12.000Z' },
  ...{ finishedAt: '2026-01-31T16:02:40.000Z', checkedBy: 'Ada', outdated: null, result: RESULT },
  ...{ times: null, film: null },
};
const LENGTHS = {
  compared: 31,
  medianErrorSeconds: 2.1,
  p90ErrorSeconds: 7.4,
  meanOurs: 74.2,
  meanTheirs: 75,
};
const VISITS = {
  ...{ marked: 38, ours: 37, matched: 35, f1Percent: { value: 93.3, from: 86.1, to: 98.4 } },
  lengths: LENGTHS,
};
const MARKED = [{ person: 'red jacket', joinedAt: 12.5, servedAt: 103.5, leftAt: 140 }];
const COUNTED = {
  waiting: 2,
  served: 1,
  waitingPoints: [
    [0.31, 0.62],
    [0.37, 0.64],
  ],
  servedPoints: null,
};
const STILL = {
  ...{ id: ID.still, capturedAt: '2026-01-31T08:21:40.200Z', hasPicture: true },
  mine: { ...COUNTED, isSkipped: false },
  ours: {
    ...{ waiting: 1, served: 1 },
    people: [{ zone: 'queue', left: 0.28, top: 0.31, right: 0.34, bottom: 0.62 }],
  },
  answers: [{ ...COUNTED, isSkipped: false }],
};

/** Examples of the checks by which people compare our counts with theirs. */
export const CHECK_EXAMPLES: Examples = {
  'POST /scenes/{id}/checks': { stills: 40, hours: 8 },
  'POST /checks/{id}/finish': { checkedBy: 'Ada' },
  'PUT /check-stills/{id}/answer': {
    waiting: [
      [0.31, 0.62],
      [0.37, 0.64],
    ],
    served: 1,
  },
  'GET /check-stills/{id}/picture image/jpeg': '(the bytes of a JPEG)',
  'POST /checks/{id}/report': { channelIds: [ID.channel], withView: true },
  'GET /checks/{id}/view image/jpeg': '(the bytes of a JPEG)',
  CheckReportSent: { channelIds: [ID.channel] },
  'POST /scenes/{id}/times-checks': { seconds: 600, from: 0 },
  '?piece': 0,
  'GET /checks/{id}/film video/x-motion-jpeg': '(the bytes of JPEGs, one after the other)',
  'GET /checks/{id}/labels text/csv':
    'person,queueEnteredAt,queueLeftAt,serviceStartedAt,serviceEndedAt\r\n"red jacket",12.5,103.5,103.5,140\r\n',
  'PUT /checks/{id}/times': { visits: MARKED },
  TimesFigures: VISITS,
  TimesResult: {
    ...{ waiting: VISITS, served: null, agreement: null },
    differences: [{ kind: 'missed', part: 'waiting', from: 212.5, to: 260, person: 'blue bag' }],
  },
  CheckFigures: FIGURES,
  CheckResult: RESULT,
  SceneCheck: CHECK,
  CheckStill: STILL,
  OpenedCheck: {
    ...CHECK,
    zones: {
      queueZone: {
        type: 'polygon',
        points: [
          [0.1, 0.4],
          [0.6, 0.4],
          [0.6, 0.95],
          [0.1, 0.95],
        ],
      },
    },
    marked: null,
    stills: [STILL],
  },
};
