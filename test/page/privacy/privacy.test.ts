import { describe, expect, test } from '@jest/globals';
import { AUDIT_ACTION_NAMES } from '../../../src/audit/catalogue.ts';
import {
  ACTION_GROUPS,
  type AuditAction,
  factsOf,
  isAuditAction,
} from '../../../src/page/privacy/audit-facts.ts';
import { isConfirmed, refreshMs, rowsOf } from '../../../src/page/privacy/jobs.ts';
import { checkRange, fieldValue, lastDays } from '../../../src/page/privacy/range.ts';
import { privacy as de } from '../../../src/page/text/de/privacy.ts';
import { privacy as en } from '../../../src/page/text/en/privacy.ts';

describe('a sentence of the audit log', () => {
  const sentences = (action: AuditAction, details: Record<string, unknown>) =>
    [en, de].map(({ audit }) => audit.actions[action](factsOf({ details })));

  test.each<[AuditAction, Record<string, unknown>, string, string]>([
    [
      'signed_in',
      { method: 'password', kind: 'person' },
      'Signed in with a password',
      'Angemeldet mit Passwort',
    ],
    [
      'signed_in',
      { method: 'code', kind: 'screen', label: 'Till' },
      'Signed a screen in “Till” with a one-time code',
      'Bildschirm angemeldet „Till“ mit Einmalcode',
    ],
    ['api_key_revoked', { keys: 3 }, 'Revoked 3 API keys', '3 API-Schlüssel widerrufen'],
    [
      'attribute_groups_changed',
      { groups: ['gender'] },
      'Set what is estimated of people: gender',
      'Festgelegt, was von Personen geschätzt wird: Geschlecht',
    ],
    [
      'attribute_groups_changed',
      { groups: [] },
      'Switched off the estimation of gender and age',
      'Das Schätzen von Geschlecht und Alter ausgeschaltet',
    ],
    ['masks_changed', { polygons: 0 }, 'Removed the privacy masks', 'Schwärzungen entfernt'],
    [
      'quota_changed',
      { vlm: '+5', alert: null, reason: 'asked' },
      'Changed limits: alerts: no limit, tokens of the language model: +5 (asked)',
      'Grenzen geändert: Alarme: unbegrenzt, Token des Sprachmodells: +5 (asked)',
    ],
    [
      'erasure_requested',
      { deviceIds: ['a'] },
      'Requested an erasure of 1 camera',
      'Löschung für 1 Kamera angefordert',
    ],
    [
      'export_completed',
      { visits: 2, images: 3 },
      'Completed an export with 5 entries',
      'Export mit 5 Einträgen fertiggestellt',
    ],
  ])('%s %j', (action, details, english, german) => {
    expect(sentences(action, details)).toEqual([english, german]);
  });

  test.each(AUDIT_ACTION_NAMES)(
    '%s has a name, a group and a sentence even with details of other types',
    (action) => {
      expect(isAuditAction(action)).toBe(true);
      expect(
        Object.values(ACTION_GROUPS)
          .flat()
          .filter((each) => each === action),
      ).toHaveLength(1);
      const odd = {
        name: 1,
        kind: null,
        fields: 'x',
        keys: 'many',
        from: {},
        deviceIds: [1],
        reason: [],
        label: '',
      };
      for (const { audit } of [en, de]) {
        expect(audit.names[action]).not.toBe('');
        for (const details of [{}, odd]) {
          const sentence = audit.actions[action](factsOf({ details }));
          expect(sentence).toMatch(/^\S.*\S$/);
          expect(sentence).not.toMatch(/null|undefined|NaN|object/);
        }
      }
    },
  );

  test('an action that the page does not know is no action of the list', () => {
    expect(isAuditAction('toString')).toBe(false);
    expect(en.audit.unknownAction('door_opened')).toBe('door opened');
  });
});

describe('a range of time', () => {
  const now = new Date(2026, 10, 23, 12, 0);
  const whole = { from: '2026-11-01T00:00', to: '2026-11-02T00:00', deviceIds: null };

  test('is sent in UTC', () => {
    expect(checkRange(whole, now)).toEqual({
      range: { from: new Date(2026, 10, 1).toISOString(), to: new Date(2026, 10, 2).toISOString() },
    });
    expect(checkRange({ ...whole, deviceIds: ['a'] }, now)).toMatchObject({ range: { deviceIds: ['a'] } });
  });

  test.each([
    [{ from: '' }, 'from', 'missing'],
    [{ to: 'x' }, 'to', 'missing'],
    [{ to: '2026-11-01T00:00' }, 'to', 'order'],
    [{ to: '2026-11-23T12:01' }, 'to', 'future'],
    [{ deviceIds: [] }, 'devices', 'noDevice'],
  ])('%j is refused', (change, field, fault) => {
    expect(checkRange({ ...whole, ...change }, now)).toEqual({ field, fault });
  });

  test('whole days before today, over the end of a month', () => {
    expect(lastDays(new Date(2026, 2, 1, 0, 30), 1)).toEqual({
      from: '2026-02-28T00:00',
      to: '2026-03-01T00:00',
    });
    expect(fieldValue(new Date(2026, 0, 5, 7, 8))).toBe('2026-01-05T07:08');
  });
});

test('jobs are read again only while one is open', () => {
  expect(refreshMs([])).toBe(false);
  expect(refreshMs([{ status: 'completed' }, { status: 'failed' }])).toBe(false);
  expect(refreshMs([{ status: 'completed' }, { status: 'running' }])).toBe(2_000);
  expect(rowsOf({ counts: { visits: 2, images: 3 } })).toBe(5);
});

test('an erasure is confirmed by its word only', () => {
  expect(isConfirmed(' ERASE ', 'ERASE')).toBe(true);
  expect(isConfirmed('erase', 'ERASE')).toBe(false);
  expect(isConfirmed('', 'ERASE')).toBe(false);
});
