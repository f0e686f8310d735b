import { metricName, unitOf } from '../../catalogue/metrics/words.ts';
import { metricValue } from '../kit/metric-value.ts';
import type { Tone } from '../kit/tile.tsx';
import { localeNow, useText } from '../text/text.ts';
import styles from './feed.module.css';
import type { FeedItem, Measured } from './feed-item.ts';

export const SEVERITY_TONES = { warning: 'warn', critical: 'bad' } as const satisfies Record<
  FeedItem['severity'],
  Tone
>;

/** What happened, in a line: the measured value in words, or the sentence of the API. */
export function AlertWords({
  item: { measured, message },
}: {
  readonly item: Pick<FeedItem, 'measured' | 'message'>;
}) {
  return measured ? <MeasuredWords measured={measured} /> : message;
}

/** E.g. "People waiting: 7 (more than 5)". */
export function MeasuredWords({ measured }: { readonly measured: Measured }) {
  const texts = useText('metrics');
  const { metricPath, operator, threshold, actualValue } = measured;
  const shown = (value: number) =>
    metricValue(unitOf(metricPath) ?? 'count', value, { locale: localeNow(), texts });
  return (
    <>
      {metricName(metricPath, texts)}: <strong>{shown(actualValue)}</strong>{' '}
      <span className={styles.bound}>
        ({texts.compared[operator]} {shown(threshold)})
      </span>
    </>
  );
}
