import { thisProcessor } from './processor.ts';
import { print } from './terminal.ts';

/** Prints a measurement and the processor it was made on: `processor` in JSON, the last line of the text. */
export function printMeasured(json: boolean | undefined, result: object, text: () => string): void {
  const processor = thisProcessor();
  print(json, { ...result, processor }, () => `${text()}\nMeasured on ${processor}`);
}
