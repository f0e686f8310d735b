import { writeFile } from 'node:fs/promises';
import { Installation, type InstallationOptions } from '../support/installation.ts';
import { measuringCommand, type OptionValues } from '../support/measuring-command.ts';
import { positive } from '../support/options.ts';
import { table } from '../support/terminal.ts';
import { recordHistory } from './history/history.ts';
import type { Verdict } from './verdict.ts';

/** The options of a part. All are numbers above 0. */
type PartOptions = Readonly<Record<string, readonly [meaning: string, byDefault: number]>>;

interface PartFacts<Options extends PartOptions> {
  readonly name: string;
  readonly description: string;
  readonly options: Options;
}

/** A part of `npm run chaos`, which tests one kind of fault. */
export function part<const Options extends PartOptions, Result extends Verdict>(
  facts: PartFacts<Options> & { run(options: OptionValues<Options>): Promise<Result> },
) {
  const { name, description, run } = facts;
  const numbers = Object.entries(facts.options).map(([key, option]) => [key, [...option, positive]]);
  const command = measuringCommand({
    ...{ name, description },
    options: Object.fromEntries(numbers) as Record<string, readonly [string, number, typeof positive]>,
    measure: (values) => run(values as OptionValues<Options>),
    report,
  });
  return { command, run };
}

type Row = Readonly<Record<string, unknown>>;

const isRows = (value: unknown): value is readonly [Row, ...Row[]] =>
  Array.isArray(value) && typeof value[0] === 'object';

const cell = (value: unknown): string =>
  typeof value === 'object'
    ? JSON.stringify(value)
    : typeof value === 'number'
      ? String(+value.toFixed(3))
      : String(value);

/** One table of the single values of a result, and one table for each list of rows. */
function report(result: object): string {
  const entries = Object.entries(result);
  const single = entries.filter(([, value]) => !isRows(value)).map(([name, value]) => [name, cell(value)]);
  const lists = entries.flatMap(([name, value]) => (isRows(value) ? [`${name}\n${rowsTable(value)}`] : []));
  return [table([['measure', 'value'], ...single]), ...lists].join('\n\n');
}

function rowsTable(rows: readonly [Row, ...Row[]]): string {
  const columns = Object.keys(rows[0]);
  return table([columns, ...rows.map((row) => columns.map((column) => cell(row[column])))]);
}

/** A part that breaks an installation of its own and records the history of its runs. */
export function installedPart<const Options extends PartOptions, Result extends Verdict>(
  facts: PartFacts<Options> & {
    /** The programs it needs. */
    readonly needs: InstallationOptions;
    run(installation: Installation, options: OptionValues<Options>): Promise<Result>;
  },
) {
  const { command } = part({
    ...facts,
    options: { ...facts.options, leaseSeconds: ['LEASE_SECONDS of the nodes', 15] } as PartOptions,
    async run({ leaseSeconds, ...options }) {
      const installation = await Installation.open({ ...facts.needs, leaseSeconds: leaseSeconds! });
      try {
        await recordHistory(installation);
        return await facts.run(installation, options as OptionValues<Options>);
      } finally {
        const { history } = command.opts<{ history?: string }>();
        if (history) await writeFile(history, `${JSON.stringify(installation.operations, null, 2)}\n`);
        await installation.close();
      }
    },
  });
  command.option('--history <file>', 'write every operation of this command there, as JSON');
  return { command, run: facts.run };
}
