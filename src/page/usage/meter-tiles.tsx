import type { Resource } from '../api/client.ts';
import { useCall } from '../api/query.ts';
import { Chip } from '../kit/chip.tsx';
import { percent } from '../kit/numbers.ts';
import { Async } from '../kit/states.tsx';
import type { Tone } from '../kit/tile.tsx';
import { showTime } from '../kit/time.ts';
import { localeNow, useText } from '../text/text.ts';
import { FEATURES, type Feature, type Fullness, filled, fullness, outlook, REPORT_NAMES } from './meters.ts';
import styles from './usage.module.css';
import { readComparison, readForecast, readSummary } from './usage-calls.ts';
import { amount, monthName, signedPercent } from './usage-words.ts';

type Summary = Resource<'BillingSummary'>;
type Forecast = Resource<'UsageForecast'>;
type Comparison = Resource<'UsageComparison'>;

const TONES: Readonly<Record<Fullness, Tone | undefined>> = {
  unlimited: undefined,
  fine: undefined,
  near: 'warn',
  full: 'bad',
};

interface MetersProps {
  readonly month: string;
  /** A month that is over has no outlook. */
  readonly isRunning: boolean;
}

/** What was used of each feature, what is left, and on which day it will be used up. */
export function Meters({ month, isRunning }: MetersProps) {
  const summary = useCall(['billing', 'summary', month], () => readSummary(month));
  const forecast = useCall(['billing', 'forecast', month], () => readForecast(month), { enabled: isRunning });
  const comparison = useCall(['billing', 'comparison', month], () => readComparison(month));
  return (
    <Async query={summary}>
      {(found) => (
        <div className={`cards ${styles.meters}`}>
          {FEATURES.map((feature) => (
            <Meter
              key={feature}
              feature={feature}
              summary={found}
              forecast={isRunning ? forecast.data : undefined}
              comparison={comparison.data}
            />
          ))}
        </div>
      )}
    </Async>
  );
}

interface MeterProps {
  readonly feature: Feature;
  readonly summary: Summary;
  readonly forecast: Forecast | undefined;
  readonly comparison: Comparison | undefined;
}

function Meter({ feature, summary, forecast, comparison }: MeterProps) {
  const t = useText('usage');
  const locale = localeNow();
  const usage = summary.features[feature];
  const { used, limit, balance } = usage;
  const state = fullness(usage);
  const shown = (quantity: number) => amount(feature, quantity, locale);
  const change = comparison?.change[REPORT_NAMES[feature]].percent ?? null;
  const tone = TONES[state];
  return (
    <section className={`card ${styles.meter}`} data-tone={tone}>
      <div className={`row ${styles.head}`}>
        <h2>{t.features[feature]}</h2>
        {tone && <Chip tone={tone}>{state === 'full' ? t.full : t.near}</Chip>}
      </div>
      <p className={styles.used}>{t.units[feature](shown(used))}</p>
      {limit === null ? (
        <p className="note">{t.unlimited}</p>
      ) : (
        <>
          <meter
            data-tone={tone}
            aria-label={t.features[feature]}
            min={0}
            max={1}
            value={filled(used, limit)}
          >
            {t.of(shown(used), shown(limit))}
          </meter>
          <p className="note">
            {t.of(shown(used), shown(limit))} ·{' '}
            {balance !== null && balance < 0 ? t.over(shown(-balance)) : t.left(shown(balance ?? 0))}
          </p>
        </>
      )}
      {change !== null && (
        <p className="note">
          {t.compared(signedPercent(change, locale), monthName(comparison!.previous.period, locale))}
        </p>
      )}
      {state === 'full' && <p>{t.consequences[feature]}</p>}
      {state === 'full' && feature !== 'alert' && <p className="note">{t.askOperator}</p>}
      {forecast && <Outlook feature={feature} forecast={forecast} />}
    </section>
  );
}

function Outlook({ feature, forecast }: { readonly feature: Feature; readonly forecast: Forecast }) {
  const t = useText('usage');
  const locale = localeNow();
  const found = forecast.features[feature];
  const said = outlook(found, forecast.asOf);
  const shown = (quantity: number) => amount(feature, quantity, locale);
  return (
    <div className={styles.outlook}>
      {said.kind === 'ends' && (
        <p className={styles.ends}>{t.ends(showTime(said.at, 'day', { locale, timezone: 'UTC' }))}</p>
      )}
      {said.kind === 'lasts' && <p>{t.lasts(percent(said.share, locale))}</p>}
      {said.kind === 'unlimited' && <p>{t.projected(shown(found.projected))}</p>}
      {found.lowerBound !== null && found.upperBound !== null && (
        <p className="note">{t.between(shown(found.lowerBound), shown(found.upperBound))}</p>
      )}
    </div>
  );
}
