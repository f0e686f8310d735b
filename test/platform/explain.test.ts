import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { id, time } from '../../src/http/fields.ts';
import { closest } from '../../src/platform/explain/closest.ts';
import { explain, explained, sentence } from '../../src/platform/explain/explain.ts';
import { explainJson } from '../../src/platform/explain/explain-json.ts';
import { fc } from '../support/property.ts';

const SCHEMA = z.strictObject({
  name: z.string().min(1).max(10),
  secret: z.string().min(16).max(20),
  streamUrl: z.string().max(5),
  token: z.enum(['a', 'b']),
  sceneId: id(),
  startDate: time(),
  waitSeconds: z.number().max(60),
  mode: z.literal('fast'),
  points: z.array(z.tuple([z.number(), z.number()])),
});
/** What JSON can hold, with objects whose `toString` or `valueOf` is no function. */
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    ...['{"toString":1}', '{"valueOf":{},"toString":null}', '[{"toString":1}]'].map((text) =>
      JSON.parse(text),
    ),
  ),
);

const faultsOf = (input: unknown) => {
  const { error } = SCHEMA.safeParse(input, explained());
  return error ? explain(error.issues, { input }) : [];
};

describe('the closest known word', () => {
  test.each([
    ['deviceID', 'deviceId'],
    ['device_id', 'deviceId'],
    ['sceneId[]', 'sceneId'],
    ['scenId', 'sceneId'],
    ['from', 'startDate'],
    ['Page', 'page'],
    ['page_size', 'limit'],
    ['colour', undefined],
    ['', undefined],
    ['💥', undefined],
  ])('for %s is %s', (given, wanted) => {
    expect(closest(given, ['page', 'limit', 'deviceId', 'sceneId', 'startDate', 'endDate'])).toBe(wanted);
  });

  test('is found fast for long words', () => {
    expect(closest('x'.repeat(200_000), ['page', 'deviceId'])).toBeUndefined();
  });
});

describe('explained faults', () => {
  test('a misspelled field comes first and is not also reported as missing', () => {
    const faults = faultsOf({ nam: 'Till', mode: 'slow' });
    expect(faults[0]).toEqual({ path: 'nam', message: 'is not a field here. Did you mean name?' });
    expect(faults.map(({ path }) => path)).not.toContain('name');
    expect(faults.at(-2)?.message).toBe('must be "fast"; received "slow"');
  });

  test('every fault of any input has a short message of ours', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        const faults = faultsOf(input);
        if (faults.length === 0) return;
        expect(sentence(faults, 'The body').length).toBeLessThan(600);
        for (const { message } of faults)
          expect(message.replace(/"[^"]*"/g, '')).not.toMatch(/Invalid|expected|Too |NaN|undefined/);
      }),
    );
  });

  test('any value of a field is explained, also an object without a text form', () => {
    const fields = fc.record(
      Object.fromEntries(Object.keys(SCHEMA.shape).map((name) => [name, value])) as Record<
        string,
        typeof value
      >,
    );
    fc.assert(
      fc.property(fields, (input) => {
        for (const { message } of faultsOf(input)) expect(message).toMatch(/^(must|is) /);
      }),
    );
  });

  test('secrets are never repeated in a message', () => {
    const secret = fc.string({ minLength: 21, maxLength: 80 }).filter((text) => text.trim().length > 20);
    fc.assert(
      fc.property(secret, (text) => {
        const inSecretFields = faultsOf({ secret: text, streamUrl: text, token: text });
        const elsewhere = faultsOf({
          name: `vas_A${text}`,
          mode: `rtsp://u:${text}@h`,
          [`whsec_${text}`]: 1,
        });
        const told = JSON.stringify([...inSecretFields, ...elsewhere]);
        expect(told).not.toContain(JSON.stringify(text).slice(1, -1));
      }),
    );
  });

  test('an unknown name that looks like a secret is hidden', () => {
    expect(faultsOf({ vas_abcdefgh_secret: 1 })[0]?.path).toBe('(hidden)');
  });
});

describe('a body that is not JSON', () => {
  test('the message has the position and the likely mistake, but no text of the body', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12 }), (text) => {
        try {
          JSON.parse(text);
        } catch (error) {
          expect(explainJson(text, (error as Error).message)).not.toContain(text);
        }
      }),
    );
  });

  test('the position is found in a parser message that quotes the body', () => {
    expect(explainJson('{"secret": hunter2}', 'Unexpected token h in JSON at position 11')).toBe(
      'The body is not valid JSON at line 1, column 12',
    );
  });
});
