import { describe, expect, test } from '@jest/globals';
import { parseQuery } from '../../../src/insights/search/read/parse-query.ts';
import { fc } from '../../support/property.ts';
import { NOW, PLACES, type Understood, understand } from './understood.ts';

const YESTERDAY = { from: '2026-11-17', to: '2026-11-18' };
const LAST_WEEK = { from: '2026-11-09', to: '2026-11-16' };

describe('a denial', () => {
  const CRITICAL = { not: [{ severity: 'critical' }] };
  test.each<[string, Understood]>([
    ['no critical alerts', CRITICAL],
    ['alerts that are not critical', CRITICAL],
    ['critical alerts excluded', CRITICAL],
    ['hide critical alerts', CRITICAL],
    ['keine kritischen Alarme', CRITICAL],
    ['ohne kritische', CRITICAL],
    ['not only critical alerts', { severity: 'critical' }],
    ['not critical but warnings', { ...CRITICAL, severity: 'warning' }],
    ['no critical alerts, only warnings', { ...CRITICAL, severity: 'warning' }],
    ['neither warnings nor critical', { not: [{ severity: 'warning' }, { severity: 'critical' }] }],
    ['weder Till 3 noch Kasse 7', { not: [{ places: ['till3'] }, { places: ['kasse7'] }] }],
    ['no critical alerts at till 3', { ...CRITICAL, places: ['till3'] }],
    ['nothing from till 3', { not: [{ places: ['till3'] }] }],
    ['all but till 3, kasse 7', { not: [{ places: ['till3'] }, { places: ['kasse7'] }] }],
    ['except critical alerts at till 3', { not: [{ severity: 'critical', places: ['till3'] }] }],
    ['till 3, but not yesterday', { places: ['till3'], not: [YESTERDAY] }],
    [
      'last week except monday morning',
      { ...LAST_WEEK, not: [{ from: '2026-11-16T06:00', to: '2026-11-16T12:00' }] },
    ],
    ['not before monday', { not: [{ to: '2026-11-16' }] }],
    ['without children running', { not: [{ words: ['children', 'running'] }] }],
    ['no fights or arguments', { not: [{ words: ['fights'] }, { words: ['arguments'] }] }],
    ['nobody arguing', { not: [{ words: ['arguing'] }] }],
    ['not dangerous', { not: [{ risk: ['high', 'critical'] }] }],
    ['no waits over 5 minutes', { wait: { atMost: 300 } }],
    ['except queues shorter than 3', { queue: { atLeast: 3 } }],
    ['without anyone waiting', { queue: { atMost: 0 } }],
    ['ohne Schlange', { queue: { atMost: 0 } }],
    ['nobody at the main entrance', { persons: { atMost: 0 }, places: ['entrance'] }],
    ['not', { unused: ['not'] }],
  ])('the denial in “%s” is understood', (query, expected) => {
    expect(understand(query)).toEqual(expected);
  });
});

describe('a comparison', () => {
  test.each<[string, Understood]>([
    ['queue longer than 5', { queue: { moreThan: 5 } }],
    ['longer than 5', { queue: { moreThan: 5 } }],
    ['waiting longer than 5', { wait: { moreThan: 300 } }],
    ['waits of 2 min 30 s or more', { wait: { atLeast: 150 } }],
    ['waited under half an hour', { wait: { lessThan: 1800 } }],
    ['wait >= 90 s', { wait: { atLeast: 90 } }],
    ['wait <3min', { wait: { lessThan: 180 } }],
    ['at most 4 customers', { persons: { atMost: 4 } }],
    ['5-10 people', { persons: { atLeast: 5, atMost: 10 } }],
    ['exactly 3 customers', { persons: { atLeast: 3, atMost: 3 } }],
    ['service took longer than 3 minutes', { service: { moreThan: 180 } }],
    ['more than 5 trolleys', { words: ['trolleys'], unused: ['more', 'than', '5'] }],
    ['more than 3 alerts', { unused: ['more', 'than', '3'] }],
    ['more than 2 hours ago', { to: '2026-11-18T12:30' }],
    ['how many people yesterday', { ...YESTERDAY, unused: ['how', 'many'] }],
    ['Wartezeit über eine halbe Stunde', { wait: { moreThan: 1800 } }],
    ['wait 1.5 minutes or less', { wait: { atMost: 90 } }],
  ])('the comparison in “%s” is understood', (query, expected) => {
    expect(understand(query)).toEqual(expected);
  });
});

test('every word is understood, listed as unused, or a function word', () => {
  const word = fc.constantFrom(
    'no', 'except', 'critical', 'till', '3', 'queue', 'longer', 'than', '5', 'minutes', 'yesterday', 'people', 'zebras', 'or',
    'nobody', 'waiting', 'risk', 'high', 'between', 'and', 'at', 'most', 'hours', 'last', 'morning',
  ); // biome-ignore format: a list of words
  const SILENT = /^(or|and|at|people|between|than|most|queue)$/;
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 10 }), (words) => {
      const parsed = parseQuery(words.join(' '), { now: NOW, timezone: 'UTC', places: PLACES });
      const told = [...parsed.understood.map(({ text }) => text), ...parsed.unusedWords].join(' ').split(' ');
      for (const one of words) if (!SILENT.test(one)) expect([one, told.includes(one)]).toEqual([one, true]);
    }),
  );
});
