import { number } from '../kit/numbers.ts';
import { localeNow, useText } from '../text/text.ts';
import { skewOf } from './nodes.ts';

/** Words for the difference of a clock: "exact", "120 ms ahead". */
export function useSkewText(): (clockSkewMs: number) => string {
  const { clockExact, clockAhead, clockBehind } = useText('admin').nodes;
  return (clockSkewMs) => {
    const skew = skewOf(clockSkewMs);
    if (skew.kind === 'exact') return clockExact;
    const locale = localeNow();
    const span = skew.ms < 1000 ? `${number(skew.ms, locale, 0)} ms` : `${number(skew.ms / 1000, locale)} s`;
    return skew.kind === 'ahead' ? clockAhead(span) : clockBehind(span);
  };
}
