import styles from './heat-map.module.css';
import { NOTHING } from './numbers.ts';
import { Titles } from './table.tsx';

interface HeatMapProps {
  readonly caption: string;
  readonly columnTitles: readonly string[];
  readonly rowTitles: readonly string[];
  /** Rows of cells; null where nothing was measured. */
  readonly values: readonly (readonly (number | null)[])[];
  /** Share measured of each cell, 0-100; below 80 it is hatched. */
  readonly coverage?: readonly (readonly (number | null)[])[];
  readonly format: (value: number) => string;
}

/** A table whose cells are coloured by their values. */
export function HeatMap({ caption, columnTitles, rowTitles, values, coverage, format }: HeatMapProps) {
  const most = Math.max(0, ...values.flat().map((value) => value ?? 0));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={caption}>
      <table className={styles.map}>
        <caption className="only-for-readers">{caption}</caption>
        <thead>
          <tr>
            <td />
            <Titles of={columnTitles} />
          </tr>
        </thead>
        <tbody>
          {rowTitles.map((title, row) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {columnTitles.map((column, at) => {
                const value = values[row]?.[at] ?? null;
                const share = coverage?.[row]?.[at];
                const isPoor = value !== null && share !== undefined && (share ?? 0) < 80;
                const strength = value === null || most === 0 ? 0 : Math.round((value / most) * 5);
                return (
                  <td
                    key={column}
                    data-strength={value === null ? undefined : strength}
                    data-poor={isPoor || undefined}
                  >
                    {value === null ? NOTHING : format(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
