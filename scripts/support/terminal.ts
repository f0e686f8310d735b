import cliProgress from 'cli-progress';
import type { Command } from 'commander';

/** A progress bar on standard error; it shows only in a terminal. Standard output is for results. */
export interface Progress {
  /** @param done in the unit of `total` */
  update(done: number): void;
  /** One more is done. */
  step(): void;
  stop(): void;
}

/** @param label a few words; @param total the amount that means done; @param unit e.g. `frames` */
export function progress(label: string, total: number, unit: string): Progress {
  if (!process.stderr.isTTY) return { update() {}, step() {}, stop() {} };
  const bar = new cliProgress.SingleBar(
    {
      format: `${label} {bar} {percentage}% | {value}/{total} ${unit} | {eta_formatted} left`,
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(total, 0);
  return { update: (done) => bar.update(done), step: () => bar.increment(), stop: () => bar.stop() };
}

/** Handles items one after the other and shows a progress bar. @param unit what the items are, e.g. `sequences` */
export async function eachWithProgress<Item, Result>(
  label: string,
  items: readonly Item[],
  unit: string,
  handle: (item: Item) => Result | Promise<Result>,
): Promise<Result[]> {
  const bar = progress(label, items.length, unit);
  const results: Result[] = [];
  try {
    for (const item of items) {
      results.push(await handle(item));
      bar.update(results.length);
    }
  } finally {
    bar.stop();
  }
  return results;
}

/** A plain table. The first row is the heading; numbers are aligned to the right. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => String(row[column] ?? '').length)),
  );
  if (!widths) return '';
  const line = (row: readonly (string | number)[]) =>
    row
      .map((cell, column) => {
        const pad = widths[column] ?? 0;
        return typeof cell === 'number' ? String(cell).padStart(pad) : cell.padEnd(pad);
      })
      .join('  ')
      .trimEnd();
  return [line(rows[0]!), widths.map((w) => '-'.repeat(w)).join('  '), ...rows.slice(1).map(line)].join('\n');
}

/** With `json`, prints exactly one JSON document on standard output; otherwise the text. */
export function print(json: boolean | undefined, result: unknown, text: () => string): void {
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : `${text()}\n`);
}

/** Runs a command. An error ends it with exit code 1 and one sentence; with DEBUG=1 the stack is printed. */
export async function main(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const shown = error instanceof Error ? (process.env.DEBUG ? error.stack : error.message) : String(error);
    process.stderr.write(`${shown}\n`);
    process.exitCode = 1;
  }
}

/**
 * Reads the command line and runs the sub-command that it names. A word that is none is told with those that exist: commander
 * would take it for an argument of the default one.
 */
export function parseCommands(program: Command): Promise<Command> {
  const names = [...program.commands.map((command) => command.name()), 'help'];
  // Options of the default command may stand before it.
  const valued = program.commands.flatMap(({ options }) => options.filter(({ required }) => required));
  const isValue = (before: string | undefined) =>
    valued.some(({ short, long }) => before === short || before === long);
  const given = process.argv.slice(2);
  const word = given.find((text, at) => !text.startsWith('-') && !(at > 0 && isValue(given[at - 1])));
  if (word !== undefined && !names.includes(word))
    program.error(`error: unknown command '${word}'. The commands are: ${names.join(', ')}.`);
  return program.parseAsync();
}
