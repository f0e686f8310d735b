import type { ReactNode } from 'react';
import styles from './table.module.css';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  /** The one that names the row; on a phone it is the heading of the card. */
  readonly isHeading?: boolean;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** On a phone a row takes three lines: for long lists of short values. */
  readonly isDense?: boolean;
}

/** A table; on a phone each row is a card with the titles of the columns beside the values. */
export function Table<Row>({ caption, columns, rows, keyOf, isDense = false }: TableProps<Row>) {
  return (
    // The display of the cards takes the roles away in some browsers.
    <table className={`${styles.table} ${isDense ? styles.dense : ''}`} role="table">
      <caption className="only-for-readers">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ id, title, isNumber }) => (
            <th key={id} role="columnheader" scope="col" className={isNumber ? styles.number : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ id, title, cell, isNumber, isHeading }) => (
              <td
                key={id}
                role="cell"
                data-title={title}
                className={`${isNumber ? styles.number : ''} ${isHeading ? styles.heading : ''}`}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Titles of columns, in a row of a head. */
export const Titles = ({ of }: { readonly of: readonly string[] }) =>
  of.map((title) => (
    <th key={title} scope="col">
      {title}
    </th>
  ));
