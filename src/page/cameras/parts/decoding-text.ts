import { number } from '../../kit/numbers.ts';
import { localeNow, type useText } from '../../text/text.ts';
import type { Device } from './device.ts';

/** What decoding a camera costs, and its second stream: "19 % of a core, second stream 4 %". */
export function decodingText(
  { mainPercent, secondPercent, unknown }: Device['decoding'],
  t: ReturnType<typeof useText<'cameras'>>['decodingCost'],
): string {
  if (mainPercent === null && secondPercent === null) return t.notMeasured;
  const percent = (value: number) => `${number(value, localeNow())} %`;
  const main = mainPercent === null ? t.main_not_measured : t.main(percent(mainPercent));
  if (secondPercent !== null) return `${main}, ${t.second(percent(secondPercent))}`;
  return unknown === null || unknown === 'main_not_measured' ? main : `${main}, ${t[unknown]}`;
}
