import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { Installation, type InstallationOptions } from '../support/installation.ts';
import { measuringCommand, type OptionValues } from '../support/measuring-command.ts';
import { positive } from '../support/options.ts';
import { table } from '../support/terminal.ts';
import { recordHistory } from './history/history.ts';

/** The options of a part. All are numbers above 0. */
export type PartOptions = Readonly<Record<string, readonly [meaning: string, byDefault: number]>>;

interface PartFacts<Options extends PartOptions> {
  readonly name: string;
  readonly description: string;
  readonly options: Options;
}

/** Every part checks its own result. */
type Result = Promise<{ readonly passed: boolean }>;

/** A part of `npm run chaos`, which tests one kind of fault. */
export function part<const Options extends PartOptions>({
  run,
  options,
  ...facts
}: PartFacts<Options> & { run(options: OptionValues<Options>): Result }): Command {
  const numbers = Object.entries(options).map(([name, option]) => [name, [...option, positive] as const]);
  return measuringCommand({
    ...facts,
    options: Object.fromEntries(numbers),
    measure: (values) => run(values as OptionValues<Options>),
    report: (result) => table([['measure', 'value'], ...Object.entries(result).map(row)]),
  });
}

const row = ([name, value]: [string, unknown]) => [
  name,
  typeof value === 'object' ? JSON.stringify(value) : String(value),
];

/** A part that breaks an installation of its own, whose history is recorded. */
export function installedPart<const Options extends PartOptions>({
  needs,
  run,
  options,
  ...facts
}: PartFacts<Options> & {
  /** The programs it needs. */
  readonly needs: InstallationOptions;
  run(installation: Installation, options: OptionValues<Options> & { leaseSeconds: number }): Result;
}): Command {
  const command: Command = part({
    ...facts,
    options: { ...options, leaseSeconds: ['LEASE_SECONDS of the nodes', 15] as const },
    async run(given) {
      const values = given as OptionValues<Options> & { leaseSeconds: number };
      const { leaseSeconds } = values;
      const installation = await Installation.open({ ...needs, leaseSeconds });
      try {
        await recordHistory(installation);
        return await run(installation, values);
      } finally {
        const { history } = command.opts<{ history?: string }>();
        if (history) await writeFile(history, `${JSON.stringify(installation.operations, null, 2)}\n`);
        await installation.close();
      }
    },
  });
  return command.option('--history <file>', 'write every operation of this command there, as JSON');
}
