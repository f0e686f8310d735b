import { expect, test } from '@jest/globals';
import { decodingText } from '../../../src/page/cameras/parts/decoding-text.ts';
import { cameras as german } from '../../../src/page/text/de/cameras.ts';
import { cameras as english } from '../../../src/page/text/en/cameras.ts';

const costs = (mainPercent: number | null, secondPercent: number | null) =>
  [mainPercent, secondPercent] as const;

test('what decoding costs is said as far as it is known', () => {
  for (const [[mainPercent, secondPercent], unknown, en, de] of [
    [costs(19, 4), null, '19 % of a core, second stream 4 %', '19 % eines Kerns, zweiter Stream 4 %'],
    [
      costs(19, null),
      'no_second_stream',
      '19 % of a core, no second stream',
      '19 % eines Kerns, kein zweiter Stream',
    ],
    [
      costs(19, null),
      'second_not_measured',
      '19 % of a core, second stream not measured',
      '19 % eines Kerns, zweiter Stream nicht gemessen',
    ],
    [
      costs(null, 4),
      'main_not_measured',
      'main stream not measured, second stream 4 %',
      'Hauptstream nicht gemessen, zweiter Stream 4 %',
    ],
    [costs(null, null), 'no_second_stream', 'Not measured yet', 'Noch nicht gemessen'],
  ] as const) {
    const decoding = { mainPercent, secondPercent, savedPercent: null, unknown };
    expect(decodingText(decoding, english.decodingCost, 'en')).toBe(en);
    expect(decodingText(decoding, german.decodingCost, 'de')).toBe(de);
  }
});
