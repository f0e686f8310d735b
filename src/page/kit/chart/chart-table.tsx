import { useState } from 'react';
import { useText } from '../../text/text.ts';
import styles from './chart.module.css';
import type { Line } from './plot-options.ts';
import { type Bucket, POOR_COVERAGE_PERCENT } from './points.ts';
import { spanLabel, type TimeStyle } from './time-labels.ts';

interface ChartTableProps {
  readonly label: string;
  readonly buckets: readonly Bucket[];
  readonly lines: readonly Line[];
  readonly style: TimeStyle;
  readonly valueAt: (line: Line, at: number) => string;
}

/** The values of a chart as a table, made when it is opened. What lies ahead is left out. */
export function ChartTable({ label, buckets, lines, style, valueAt }: ChartTableProps) {
  const t = useText('chart');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.details} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t.asTable}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label={label}>
          <table>
            <caption className="only-for-readers">{label}</caption>
            <thead>
              <tr>
                <th scope="col">{t.time}</th>
                {lines.map((line) => (
                  <th key={line.label} scope="col">
                    {line.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {buckets.map((bucket, at) =>
                bucket.isAhead ? null : (
                  <tr key={bucket.fromMs}>
                    <th scope="row">
                      {spanLabel(bucket, style)}
                      {bucket.coveragePercent < POOR_COVERAGE_PERCENT && ` (${t.poorShort})`}
                    </th>
                    {lines.map((line) => (
                      <td key={line.label}>{valueAt(line, at)}</td>
                    ))}
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
