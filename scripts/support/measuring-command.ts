import { Command } from 'commander';
import { count } from './options.ts';
import { printMeasured } from './printing.ts';

/**
 * The options of a command by their names in code: `leaseSeconds` is `--lease-seconds <n>`, `atOnce: [..., false]` is
 * the flag `--at-once`, `awake: [..., true]` is `--no-awake`. A number is read by `parse`, by default as a whole number
 * above 0.
 */
export type OptionTable = Readonly<
  Record<
    string,
    readonly [meaning: string, byDefault: number | string | boolean, parse?: (text: string) => number]
  >
>;

/** What the command line gave for each option, or its default. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name][1] extends number
    ? number
    : Table[Name][1] extends boolean
      ? boolean
      : string;
};

export interface Measurement<Table extends OptionTable, Result extends object> {
  readonly name: string;
  readonly description: string;
  /** A required argument. */
  readonly argument?: readonly [name: string, meaning: string];
  readonly options: Table;
  measure(options: OptionValues<Table>, argument: string): Promise<Result>;
  /** The result as text for people. */
  report(result: Result): string;
}

/**
 * A command that measures and prints the result with the processor: as text, or with `--json` as one document. A result
 * with `passed: false` sets exit code 1.
 */
export function measuringCommand<const Table extends OptionTable, Result extends object>(
  measurement: Measurement<Table, Result>,
): Command {
  const { name, description, argument, options, measure, report } = measurement;
  const command = new Command(name).description(description);
  if (argument) command.argument(`<${argument[0]}>`, argument[1]);
  addOptions(command, options);
  return command.option('--json', 'print one JSON document').action(async (...given: unknown[]) => {
    const { json, ...values } = command.opts<{ json?: boolean }>();
    const defaults = Object.fromEntries(
      Object.entries(options).map(([key, [, byDefault]]) => [key, byDefault]),
    );
    const result = await measure({ ...defaults, ...values } as OptionValues<Table>, String(given[0]));
    printMeasured(json, result, () => report(result));
    if ('passed' in result && !result.passed) process.exitCode = 1;
  });
}

function addOptions(command: Command, options: OptionTable): void {
  for (const [name, [meaning, byDefault, parse = count(1)]] of Object.entries(options)) {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (typeof byDefault === 'number') command.option(`--${flag} <n>`, meaning, parse, byDefault);
    else if (typeof byDefault === 'string') command.option(`--${flag} <name>`, meaning, byDefault);
    else command.option(byDefault ? `--no-${flag}` : `--${flag}`, meaning);
  }
}
