import { api } from '../../../api/client.ts';
import { useDownload } from '../../../api/use-download.ts';
import { Button } from '../../../kit/button.tsx';
import { number, percent, count as whole } from '../../../kit/numbers.ts';
import { Section } from '../../../kit/page.tsx';
import { FormFailure } from '../../../kit/states.tsx';
import { Table } from '../../../kit/table.tsx';
import { localeNow, useText } from '../../../text/text.ts';
import styles from '../check.module.css';
import type { Opened } from '../checks.ts';
import { MODES } from '../counting.ts';
import { clock } from './clock.ts';

type Result = NonNullable<Opened['times']>;
type Figures = NonNullable<Result['waiting']>;

/** What a check of times has found. */
export function TimesResult({ check, result }: { readonly check: Opened; readonly result: Result }) {
  const t = useText('check');
  const locale = localeNow();
  const { download, busy, error } = useDownload();
  const { agreement, differences } = result;
  const seconds = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : `${number(value, locale)} s`;
  const rows = [
    {
      id: 'f1' as const,
      of: ({ f1Percent: { value, from, to } }: Figures) =>
        t.range(percent(value / 100, locale), { from: whole(from, locale), to: whole(to, locale) }),
    },
    {
      id: 'visits' as const,
      of: ({ marked, ours, matched }: Figures) =>
        [matched, marked, ours].map((each) => whole(each, locale)).join(' / '),
    },
    { id: 'median' as const, of: ({ lengths }: Figures) => seconds(lengths?.medianErrorSeconds) },
    { id: 'p90' as const, of: ({ lengths }: Figures) => seconds(lengths?.p90ErrorSeconds) },
    {
      id: 'lengths' as const,
      of: ({ lengths }: Figures) => `${seconds(lengths?.meanOurs)} / ${seconds(lengths?.meanTheirs)}`,
    },
  ];
  const modes = MODES.filter((mode) => result[mode] !== null);
  return (
    <>
      <Section title={t.figures}>
        {modes.length > 0 && (
          <Table
            caption={t.figures}
            keyOf={({ id }) => id}
            rows={rows}
            columns={[
              { id: 'figure', title: t.figure, isHeading: true, cell: ({ id }) => t.timesRows[id] },
              ...modes.map((mode) => ({
                id: mode,
                title: t.timesModes[mode],
                isNumber: true,
                cell: ({ of }: (typeof rows)[number]) => of(result[mode]!),
              })),
            ]}
          />
        )}
        {agreement && (
          <p>
            {t.timesAgreement(whole(agreement.checkers, locale), percent(agreement.f1Percent / 100, locale))}
          </p>
        )}
        <div className={`row ${styles.screenOnly}`}>
          <Button
            icon="download"
            isBusy={busy !== null}
            onClick={() =>
              download('labels.csv', () =>
                api.GET('/checks/{id}/labels', { params: { path: { id: check.id } }, parseAs: 'blob' }),
              )
            }
          >
            {t.labels}
          </Button>
        </div>
        <FormFailure error={error as Error | null} />
      </Section>
      <Section title={t.differences}>
        {differences.length === 0 ? (
          <p className={`note ${styles.text}`}>{t.noDifferences}</p>
        ) : (
          <ul>
            {differences.slice(0, 20).map(({ kind, part, from, to, person }) => (
              <li key={`${kind} ${part} ${from} ${to} ${person}`}>
                {clock(from)}–{clock(to)} · {t.timesModes[part]} · {t.difference[kind](person ?? '')}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title={t.method}>
        <p className={styles.text}>{t.timesMethod}</p>
      </Section>
    </>
  );
}
