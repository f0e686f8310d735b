import type { Command } from 'commander';
import { thisProcessor } from '../../src/platform/processes/processor.ts';
import { print } from './terminal.ts';

/**
 * The action of a command that has the option `--json`: runs it and prints its result as text or as one JSON document.
 * @param run gets the arguments and options of the command; `text` gets its result and the first argument
 */
export function printing<Given extends unknown[], Result extends object>(
  run: (...given: Given) => Result | Promise<Result>,
  text: (result: Result, first: Given[0]) => string,
  write: (json: boolean, result: Result, text: () => string) => void = print,
) {
  return async function (this: Command, ...given: Given): Promise<void> {
    const result = await run(...given);
    write(this.opts<{ json?: boolean }>().json ?? false, result, () => text(result, given[0]));
  };
}

/** Prints a measurement and the processor it was made on: `processor` in JSON, the last line of the text. */
export function printMeasured(json: boolean | undefined, result: object, text: () => string): void {
  const processor = thisProcessor();
  print(json, { ...result, processor }, () => `${text()}\nMeasured on ${processor}`);
}
