/** Reads CSV as RFC 4180 has it: the cells of each row, quotes removed. */
export function readCsv(text: string, separator = ','): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^"\\r\\n${separator}]*))(\\r\\n|${separator}|$)`, 'y');
  while (field.lastIndex < text.length) {
    const [, inQuotes, plain, end] = field.exec(text) ?? [];
    if (end === undefined) throw new Error(`No CSV: ${text.slice(0, 200)}`);
    row.push(inQuotes === undefined ? plain! : inQuotes.replaceAll('""', '"'));
    if (end === separator) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
