import { z } from 'zod';
import { flag } from '../fields.ts';
import type { Cell, CsvRow } from '../route.ts';

const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;

/** How spreadsheets of a region read a CSV: parameters of every call that answers with one. */
export const csvFormat = z.object({
  separator: z.enum(['comma', 'semicolon', 'tab']).default('comma').meta({
    description: 'What separates the fields of a CSV; spreadsheets with a decimal comma want `semicolon`',
  }),
  decimal: z
    .enum(['point', 'comma'])
    .default('point')
    .meta({ description: 'The decimal mark of the numbers of a CSV' }),
  bom: flag()
    .default(false)
    .meta({ description: 'Whether a CSV begins with a byte order mark, by which Excel knows UTF-8' }),
});
export type CsvFormat = z.output<typeof csvFormat>;

/** @param locale BCP 47 */
export function csvFormatOf(locale: string): CsvFormat {
  const hasComma = new Intl.NumberFormat(locale).format(0.5).includes(',');
  return hasComma
    ? { separator: 'semicolon', decimal: 'comma', bom: true }
    : { separator: 'comma', decimal: 'point', bom: true };
}

/** The line of the column names, after the byte order mark where it is wanted. */
export const csvHead = (columns: readonly string[], { separator, bom }: CsvFormat): string =>
  `${bom ? '\ufeff' : ''}${columns.join(SEPARATORS[separator])}\r\n`;

/** A row in the format of RFC 4180; every text is quoted. */
export function csvLine(row: CsvRow, columns: readonly string[], format: CsvFormat): string {
  const cells = columns.map((column) => csvCell(row[column], format));
  return `${cells.join(SEPARATORS[format.separator])}\r\n`;
}

function csvCell(value: Cell, { separator, decimal }: CsvFormat): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return quoted(withoutFormulas(value));
  if (typeof value === 'boolean' || decimal === 'point') return String(value);
  const number = String(value).replace('.', ',');
  return separator === 'comma' && number.includes(',') ? quoted(number) : number;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * Where a spreadsheet could begin a formula, also one that was told another separator than ours, ignores our quotes, or drops
 * blanks and invisible characters. The wide forms of East Asian keyboards count too. After a single blank, a sign before
 * another blank is a dash between words. The sign comes first in the expression, so that long runs of blanks cost nothing.
 */
const FORMULA =
  /[=+\-@＝＋－＠﹦﹢﹣﹫](?:(?<=(?:^|[,;|\t\r\n\v\f\u0085\u2028\u2029])[\s\p{Cc}\p{Cf}"]*.)|(?<=[\s\p{Cc}\p{Cf}]"*.)(?=\S))/gu;

/** Users choose texts such as the name of a device, and spreadsheets run a text that looks like a formula. */
const withoutFormulas = (text: string): string => text.replace(FORMULA, "'$&");
