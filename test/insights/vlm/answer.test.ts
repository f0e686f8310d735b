import { describe, expect, test } from '@jest/globals';
import { readAnswer } from '../../../src/insights/vlm/answer.ts';

const read = (more: object, measured = 4) =>
  readAnswer(
    { tools: [], text: JSON.stringify({ summary: 'People wait.', ...more }), reasoning: '' },
    measured,
  );

test.each<[unknown, string]>([
  ['high', 'high'],
  ['High risk', 'high'],
  ['HIGH', 'high'],
  ['severe', 'high'],
  ['serious', 'high'],
  ['hoch', 'high'],
  ['hohes Risiko', 'high'],
  ['medium-high', 'high'],
  [['high'], 'high'],
  ['significant', 'high'],
  ['urgent', 'high'],
  ['dringend', 'high'],
  [{ level: 'high' }, 'high'],
  ['extreme', 'critical'],
  ['highly unlikely', 'low'],
  ['very high', 'critical'],
  ['Very High Risk', 'critical'],
  ['sehr hoch', 'critical'],
  ['äußerst hohes Risiko', 'critical'],
  ['extremely high', 'critical'],
  ['very serious', 'critical'],
  ['very low', 'low'],
  ['extremely low', 'low'],
  ['extrem gering', 'low'],
  ['not high', 'medium'],
  ['nicht hoch', 'medium'],
  ["it isn't high", 'medium'],
  ['not very high', 'medium'],
  ['kein hohes Risiko', 'medium'],
  ['not critical', 'medium'],
  ['not low', 'medium'],
  ['nicht gering', 'medium'],
  ['not serious', 'low'],
  ['nicht dringend', 'low'],
  ['no immediate danger', 'low'],
  ['low, since nothing critical is seen', 'low'],
  ['not critical but high', 'high'],
  ['nicht hoch, sondern mittel', 'medium'],
  ['moderately severe', 'medium'],
  ['moderately high', 'medium'],
  ['mäßig hoch', 'medium'],
  ['slightly elevated', 'medium'],
  ['etwas erhöht', 'medium'],
  ['elevated', 'high'],
  ['fairly high', 'high'],
  ['ziemlich hoch', 'high'],
  ['low to medium', 'medium'],
  ['niedrig bis mittel', 'medium'],
  ['medium/high', 'high'],
  ['very', 'medium'],
  ['Moderate', 'medium'],
  ['mittel', 'medium'],
  ['mäßig', 'medium'],
  ['niedrig', 'low'],
  ['gering', 'low'],
  ['none', 'low'],
  ['kein Risiko', 'low'],
  ['Minimal', 'low'],
  ['kritisch', 'critical'],
  ['Critical!', 'critical'],
  ['élevé', 'high'],
  ['unheard of', 'medium'],
  ['', 'medium'],
  [null, 'medium'],
  [7, 'medium'],
  [undefined, 'medium'],
])('the risk %j is %s', (riskLevel, expected) => {
  expect(read({ riskLevel })?.riskLevel).toBe(expected);
});

test.each<[unknown, number]>([
  [6, 6],
  [0, 0],
  ['6', 6],
  ['6.0', 6],
  ['', 4],
  [' ', 4],
  [null, 4],
  [undefined, 4],
  [true, 4],
  [[], 4],
  [{}, 4],
  [-1, 4],
  [2.5, 4],
  [1e12, 4],
  ['about six', 4],
  ['1e3', 4],
])('the number of people %j is %i where four were measured', (personCount, expected) => {
  expect(read({ personCount })?.personCount).toBe(expected);
});

test.each([
  { person_count: 6, risk_level: 'high' },
  { PersonCount: 6, RiskLevel: 'high' },
  { 'person count': 6, 'risk-level': 'high' },
])('the keys of %j are ours', (more) => {
  expect(read(more)).toMatchObject({ personCount: 6, riskLevel: 'high' });
});

test('an item of a list may be an object with a text', () => {
  const more = {
    activities: [{ name: 'waiting', certainty: 1 }, {}, 7],
    suggestions: { action: 'Open till 2' },
  };
  expect(read(more)).toMatchObject({ activities: ['waiting'], suggestions: ['Open till 2'] });
});

describe('an echo of the levels is no answer', () => {
  const ECHOES = ['low|medium|high|critical', 'low, medium, high or critical', ['low', 'medium', 'high']];

  test.each(ECHOES)('%j alone', (riskLevel) => {
    expect(read({ riskLevel })).toBe(null);
  });

  test.each(ECHOES)('%j after an answer', (riskLevel) => {
    const text = JSON.stringify({ summary: 'People wait.', riskLevel: 'high' });
    const echo = JSON.stringify({ summary: 'what is seen', riskLevel });
    const said = { tools: [], text: `${text}\nThe format was ${echo}`, reasoning: '' };
    expect(readAnswer(said, 4)).toMatchObject({ summary: 'People wait.', riskLevel: 'high' });
  });
});
