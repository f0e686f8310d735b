/** One row of values, and the line of the file in which it begins (from 1). */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

const lineEnds = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/**
 * Parses comma-separated values (RFC 4180). A line may also end with CR or LF alone.
 * @param separator one character
 * @throws Error that names the line of a quote that is not closed or that other text follows
 */
export function parseCsv(text: string, separator: string): CsvRow[] {
  const between = separator === '\t' ? '\\t' : `\\u{${separator.codePointAt(0)!.toString(16)}}`;
  const cell = new RegExp(
    `("[^"]*(?:""[^"]*)*"|(?!")[^${between}\\r\\n]*)(${between}|\\r\\n|\\r|\\n|$)`,
    'uy',
  );
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let [line, beginsAt] = [1, 1];
  while (cell.lastIndex < text.length || cells.length > 0) {
    const found = cell.exec(text);
    if (!found) {
      throw new Error(
        `line ${line}: a value that begins with a quote must end with one, and nothing may follow it`,
      );
    }
    const [all, value, end] = found as unknown as [string, string, string];
    cells.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    line += lineEnds(all);
    if (end === separator) continue;
    rows.push({ line: beginsAt, cells });
    [cells, beginsAt] = [[], line];
  }
  return rows;
}
